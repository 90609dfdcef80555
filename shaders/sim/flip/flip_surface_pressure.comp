// Computes the pressure of the largest surface tension in each cell: the mean curvature of the surface nearby
// (docs/equations.md). Where the tension depends on an attribute, the pressure is smaller by its ratio to the
// largest of the fluid. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(curvatures);
READ_ANY(tension_ratios);
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

// Returns the surface tension near a cell over the largest of its fluid.
float tension_ratio(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, sides = params.planar != 0u ? 4u : 6u;
    if (!MATERIAL_CURVES) return 1.0;
    if (tension_ratios[i] != SIM_UNKNOWN_TENSION) return tension_ratios[i];
    vec2 sum = vec2(0.0);
    for (uint side = 0u; side < sides; side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        bool known = other != POISSON_NONE && tension_ratios[other] != SIM_UNKNOWN_TENSION;
        if (known) sum += vec2(tension_ratios[other], 1.0);
    }
    return sum.x / max(sum.y, 1.0);
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
        if (sum.y > 0.0) surface_pressures[i].x = factor * tension_ratio(block, cell) * sum.x / sum.y;
    }
}
