// Computes the right-hand side of a level from the residual of the next finer one; one workgroup per block of
// the finer one. Cells without finer ones keep the 0 of coarsen_matrix.comp. With POISSON_RESIDUAL_FLAG it
// also stores the residual of conjugate gradients on the finest level: in the first iteration the right-hand
// side without its mean.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
UPDATE_ANY(right_sides);
READ_ANY(matvec_products);
READ_ANY(vcycle_solutions);
#include "poisson/level.glsl"
#include "poisson/step.glsl"

bool starts, takes_step; // before the first step there is no product
float mean;

float step_and_store(uint i)
{
    float right_side = right_sides[i];
    if (starts) right_side -= mean;
    if (takes_step) right_side = stepped_right_side(i);
    if (starts || takes_step) right_sides[i] = right_side;
    return right_side;
}
#define RIGHT_SIDE_OF_RESIDUAL(i) step_and_store(i)
#include "poisson/residual.glsl"

shared float residuals[POISSON_BLOCK_CELLS];

// Writes the right-hand sides of the cells of `level` that the cells of a block of the next finer level make
// up. They lie in one block.
void write_sums(uint block, uint level)
{
    uvec3 at = blocks[block].at.xyz, halved = poisson_coarsened_axes(level - 1u), bits = 3u - halved;
    uint parent = blocks[block].parent * POISSON_BLOCK_CELLS, count = 1u << bits.x + bits.y + bits.z;
    for (uint k = gl_LocalInvocationIndex; k < count; k += POISSON_WORKGROUP) {
        uvec3 own = uvec3(k, k >> bits.x, k >> bits.x + bits.y) & (uvec3(1u) << bits) - 1u;
        uvec3 below = own << halved;
        float sum = 0.0;
        for (uint child = 0u; child < 8u; child++) {
            uvec3 offset = uvec3(child, child >> 1, child >> 2) & 1u;
            if (all(lessThanEqual(offset, halved))) sum += residuals[poisson_cell_index(below + offset)];
        }
        right_sides[parent + poisson_cell_index(own + ((at & halved) << 2u))] = sum;
    }
}

void main()
{
    uint level = pass.constant & POISSON_LEVEL_MASK, block = workgroup_block(level - 1u);
    step_length = solve.alpha;
    bool stores = (pass.constant & POISSON_RESIDUAL_FLAG) != 0u;
    starts = stores && solve.iterations == 0u;
    takes_step = stores && !starts && step_length != 0.0;
    mean = solve.mean;
    if (block == POISSON_NONE) return; // uniform across the workgroup
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        residuals[cell] = residual_value(block * POISSON_BLOCK_CELLS + cell);
    }
    barrier();
    write_sums(block, level);
}
