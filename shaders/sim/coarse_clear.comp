// Empties the cells of the coarse correction, and notes how far their middles are from solids.
// Reads items, poses; writes cells, pressures.
#version 460
#include "sim.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;

layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_CELLS) writeonly buffer cells_block { uvec2 cells[]; };
layout(std430, binding = SIM_BIND_PRESSURES) writeonly buffer pressures_block { float pressures[]; };
layout(std430, binding = SIM_BIND_ITEMS) readonly buffer items_block { solid_item items[]; };
layout(std430, binding = SIM_BIND_NODES) readonly buffer nodes_block { solid_node solid_nodes[]; };
layout(std430, binding = SIM_BIND_VOLUMES) readonly buffer volumes_block { uint solid_volumes[]; };
layout(std430, binding = SIM_BIND_POSES) readonly buffer poses_block { solid_pose poses[]; };
#include "shape.glsl"
#include "wall.glsl"

void main()
{
    uint i = row_index(), across = params.coarse_cells.x, up = params.coarse_cells.y;
    if (i >= params.coarse_cells.w) return;
    vec3 at = vec3(i % across, i / across % up, i / (across * up)) + 0.5;
    vec3 middle = params.domain_min.xyz + at * params.coarse_size.xyz;
    if (params.planar != 0u) middle.z = params.plane;
    vec3 sizes = params.coarse_size.xyz;
    float size = min(sizes.x, params.planar != 0u ? sizes.y : min(sizes.y, sizes.z)), nearest = 1e30;
    uint count = wall_solids();
    for (uint item = 0u; item < count; item++)
        nearest = min(nearest, wall_item_distance(item, middle, SIM_CELL_GAP_MOST * size));
    float gap = clamp(nearest / size + SIM_CELL_GAP_MOST, 0.0, 2.0 * SIM_CELL_GAP_MOST);
    cells[i] = uvec2(uint(gap * SIM_CELL_GAP_STEPS + 0.5) << SIM_CELL_GAP_SHIFT, 0u);
    pressures[i] = 0.0;
}
