// Computes the pressure of the largest surface tension in each cell: the mean curvature of the surface nearby
// (docs/equations.md). One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(curvatures);
UPDATE_ANY(surface_pressures);

#define TILE_MARGIN 1u
vec2 tile_load_cell(ivec3 at);
#include "mac/cell_index.glsl"
#include "mac/smoothed_tile.glsl"

vec2 tile_load_cell(ivec3 at)
{
    bvec2 outside = tile_cell_is_outside(at);
    if (outside.x || outside.y) return vec2(0.0);
    uint i = cell_index(uvec3(cell_inside_domain(at)));
    return i == POISSON_NONE ? vec2(0.0) : curvatures[i];
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    load_smoothed_tile(block);
    float factor = status.dt * params.max_tension / params.fluids[0].density;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 local = ivec3(poisson_cell_coordinates(cell));
        if (params.planar != 0u && local.z > 0) continue;
        vec2 sum = tile[tile_index(local)];
        if (sum.y > 0.0) surface_pressures[i].x = factor * sum.x / sum.y;
    }
}
