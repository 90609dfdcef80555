// Adds the solution of the next coarser level to that of a level, and performs the last two sweeps; one
// workgroup per block. The first sweep of the cells beside the block is computed again. Other workgroups
// still read vcycle_solutions, so the result goes to `smoothed`.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(right_sides);
READ_ANY(vcycle_solutions);
UPDATE_ANY(smoothed);
#include "poisson/border.glsl"
#include "poisson/level.glsl"
#include "poisson/prolong.glsl"
#include "poisson/sweep.glsl"
#define PROLONGED_VALUE(i) prolonged_value(i, pass.constant)
DEFINE_SWEEP(sweep_prolonged, PROLONGED_VALUE)

// x after the first sweep: of the block's cells, then of those beside its sides
shared float swept[POISSON_BLOCK_CELLS + 6u * POISSON_SIDE_CELLS];

// Returns x after the first sweep of `other`, the neighbour of a cell across a side.
float swept_neighbour(uint block, uint cell, uint side, uint other)
{
    if (other / POISSON_BLOCK_CELLS == block) return swept[other % POISSON_BLOCK_CELLS];
    return swept[POISSON_BLOCK_CELLS + border_index(cell, side)];
}

float sweep_last(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    vec4 own = coefficients[i];
    if (!(own.w > 0.0)) return 0.0;
    float x = swept[cell], neighbours = 0.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        uint side = 2u * axis, low = poisson_neighbour_cell(block, cell, side);
        uint high = poisson_neighbour_cell(block, cell, side + 1u);
        if (low != POISSON_NONE) neighbours += own[axis] * swept_neighbour(block, cell, side, low);
        if (high != POISSON_NONE)
            neighbours += coefficients[high][axis] * swept_neighbour(block, cell, side + 1u, high);
    }
    float wanted = (right_sides[i] + neighbours) / own.w;
    return x + multigrid.sweeps[0] * (wanted - x);
}

void main()
{
    uint block = workgroup_block(pass.constant);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    for (uint cell = gl_LocalInvocationIndex; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP)
        swept[cell] = sweep_prolonged(block, cell, 1u);
    for (uint k = gl_LocalInvocationIndex; k < 6u * POISSON_SIDE_CELLS; k += POISSON_WORKGROUP) {
        uint side = k / POISSON_SIDE_CELLS, cell = border_cell(block, side, k % POISSON_SIDE_CELLS);
        uint other = poisson_neighbour_cell(block, cell, side);
        if (other == POISSON_NONE) continue;
        swept[POISSON_BLOCK_CELLS + k] = sweep_prolonged(other / POISSON_BLOCK_CELLS,
                                                         other % POISSON_BLOCK_CELLS, 1u);
    }
    barrier();
    for (uint cell = gl_LocalInvocationIndex; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP)
        smoothed[block * POISSON_BLOCK_CELLS + cell] = sweep_last(block, cell);
}
