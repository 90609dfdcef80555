// Density at the frame's end, wall share included (Macklin and Mueller 2013, equation 2).
// Reads a (gathered), lists, x; writes density.
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
layout(std430, binding = SIM_BIND_X) readonly buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_DENSITY) writeonly buffer density_block { float densities[]; };
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
    uint header = headers[i];
    float density = pair_density_sum(i, p, header & GRID_COUNT_MASK);
    wall_solids_near = (header & SIM_NEAR_SOLID) != 0u;
    if ((header & SIM_NEAR_WALL) != 0u) density += wall_density(p).density;
    densities[i] = density * params.fluids[uint(x[i].w)].density;
}
