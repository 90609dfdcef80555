// Adds every particle and its constraint (Macklin and Mueller 2013, equation 1, walls included) to its
// cell, in whole numbers, so that the order does not matter.
// Reads a (gathered), lists; writes cells.
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(constant_id = 2) const bool PERIODIC = false;
layout(constant_id = 3) const bool ONE_KERNEL = false;
layout(constant_id = 4) const bool COMPACT = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
GATHER_WHOLE_BLOCK(SIM_BIND_A, a);
layout(std430, binding = SIM_BIND_CELLS) buffer cells_block { uvec2 cells[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uvec4 lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) readonly buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_ITEMS) readonly buffer items_block { solid_item items[]; };
layout(std430, binding = SIM_BIND_NODES) readonly buffer nodes_block { solid_node solid_nodes[]; };
layout(std430, binding = SIM_BIND_VOLUMES) readonly buffer volumes_block { uint solid_volumes[]; };
layout(std430, binding = SIM_BIND_POSES) readonly buffer poses_block { solid_pose poses[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };
#include "shape.glsl"
#include "wall.glsl"
#include "pairs.glsl"
#include "listed.glsl"
#include "density.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = GATHERED(a, i).xyz;
    float density = pair_density_sum(i, p, headers[i] & GRID_COUNT_MASK) + wall_density(p).density;
    ivec3 most = ivec3(params.coarse_cells.xyz) - 1;
    vec3 place = (place_metres(p) - params.domain_min.xyz) / params.coarse_size.xyz;
    ivec3 at = clamp(ivec3(place), ivec3(0), most);
    uint cell = uint(at.x) + params.coarse_cells.x * (uint(at.y) + params.coarse_cells.y * uint(at.z));
    atomicAdd(cells[cell].x, 1u);
    atomicAdd(cells[cell].y, uint(int(clamp(density - 1.0, -1.0, 4.0) * SIM_CELL_UNITS)));
}
