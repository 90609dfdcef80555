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
#include "poisson/level.glsl"
#include "poisson/prolong.glsl"
#include "poisson/sweep.glsl"
#define PROLONGED_VALUE(i) prolonged_value(i, pass.constant)
DEFINE_SWEEP(sweep_prolonged, PROLONGED_VALUE)

const uint SIDE_CELLS = POISSON_BLOCK_EDGE * POISSON_BLOCK_EDGE;
// x after the first sweep: of the block's cells, then of those beside its sides
shared float swept[POISSON_BLOCK_CELLS + 6u * SIDE_CELLS];

// Returns the cell of a block whose neighbour across a side is number `k` beside that side.
uint border_cell(uint block, uint side, uint k)
{
    uint axis = side >> 1, shift = 3u * axis, low = k & ((1u << shift) - 1u), high = k >> shift;
    uvec4 at = blocks[block].at;
    uint last = multigrid.cells[at.w][axis] - 1u - at[axis] * POISSON_BLOCK_EDGE;
    uint local = (side & 1u) != 0u ? min(last, POISSON_BLOCK_EDGE - 1u) : 0u;
    return low | local << shift | high << shift + 3u;
}

// Returns x after the first sweep of `other`, the neighbour of a cell across a side.
float swept_neighbour(uint block, uint cell, uint side, uint other)
{
    if (other / POISSON_BLOCK_CELLS == block) return swept[other % POISSON_BLOCK_CELLS];
    uint shift = 3u * (side >> 1), k = cell & ((1u << shift) - 1u) | cell >> shift + 3u << shift;
    return swept[POISSON_BLOCK_CELLS + side * SIDE_CELLS + k];
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
    for (uint k = gl_LocalInvocationIndex; k < 6u * SIDE_CELLS; k += POISSON_WORKGROUP) {
        uint side = k / SIDE_CELLS, cell = border_cell(block, side, k % SIDE_CELLS);
        uint other = poisson_neighbour_cell(block, cell, side);
        if (other == POISSON_NONE) continue;
        swept[POISSON_BLOCK_CELLS + k] = sweep_prolonged(other / POISSON_BLOCK_CELLS,
                                                         other % POISSON_BLOCK_CELLS, 1u);
    }
    barrier();
    for (uint cell = gl_LocalInvocationIndex; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP)
        smoothed[block * POISSON_BLOCK_CELLS + cell] = sweep_last(block, cell);
}
