// Empties the cells of the coarse correction, and keeps the distance from their middles to solids.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
OWN_WRITE(cells);
OWN_WRITE(pressures);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
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
