// Computes the next search direction of conjugate gradients, multiplies the matrix A by it, and takes the dot
// product of both; one workgroup per block. The directions of neighbours are computed again, from the last.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(vcycle_solutions);
READ_ANY(cg_last_directions);
WRITE_ANY(cg_directions);
WRITE_ANY(matvec_products);
SHARE_ANY(block_sums);
#include "poisson/level.glsl"
#include "poisson/stencil.glsl"
#include "poisson/cg_scalars.glsl"

float direction_value(uint i) { return vcycle_solutions[i] + solve.beta * cg_last_directions[i]; }

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    float sum = 0.0;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        vec4 own = coefficients[i];
        float x = direction_value(i), product = 0.0, neighbours = 0.0;
        ADD_NEIGHBOURS(neighbours, block, cell, own, direction_value)
        if (own.w > 0.0) product = own.w * x - neighbours;
        cg_directions[i] = x;
        matvec_products[i] = product;
        sum += x * product;
    }
    // with rigid bodies, rigid_coupling_matvec.comp ends the pass
    vec4 all = workgroup_sum_and_max(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) block_sums[block] = all;
    if (pass.constant != POISSON_RIGIDS_FOLLOW) finish_pass(POISSON_SCALARS_CURVATURE);
}
