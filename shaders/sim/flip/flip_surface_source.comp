// Adds the pressure jumps of surface tension to the right-hand side of the pressure equation
// (docs/equations.md). One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_coefficients);
READ_ANY(surface_pressures);
UPDATE_ANY(poisson_rhs);
#include "mac/surface_tension.glsl"
#include "poisson/level.glsl"

// Returns what surface tension at one side of a fluid cell adds to the right-hand side, m2/s.
float surface_source(uint block, uint cell, uint side)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, other = poisson_neighbour_cell(block, cell, side);
    uint axis = side >> 1, upper = (side & 1u) == 0u || other == POISSON_NONE ? i : other;
    float beside = 0.0, weight = unpackUnorm2x16(cells[i][axis])[side & 1u] * multigrid.weights[axis];
    if (other == i) return 0.0;
    if (VARIABLE_DENSITY) weight *= face_coefficients[upper][axis];
    if (other != POISSON_NONE) beside = uintBitsToFloat(cells[other].w);
    if (beside >= POISSON_CLOSED) return 0.0;
    if (beside >= 0.0) weight /= poisson_surface_fraction(uintBitsToFloat(cells[i].w), beside);
    return weight * mac_pressure_jump(i, other);
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        if (uintBitsToFloat(cells[i].w) >= 0.0) continue;
        uint sides = params.planar != 0u ? 4u : 6u;
        for (uint side = 0u; side < sides; side++) poisson_rhs[i] += surface_source(block, cell, side);
    }
}
