// Adds the contribution of rigid bodies to A times the search direction, J times their response, and to the
// partial dot products; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(cg_directions);
READ_ANY(rigid_coupling);
READ_ANY(rigid_coupling_angular);
READ_ANY(rigid_responses);
UPDATE_ANY(matvec_products);
SHARE_ANY(block_sums);
#include "poisson/level.glsl"
#include "poisson/cg_scalars.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    float sum = 0.0;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        vec4 coupling = rigid_coupling[i];
        if (coupling.w == 0.0 || !(coefficients[i].w > 0.0)) continue;
        uint rigid = uint(coupling.w) - 1u;
        float product = dot(coupling.xyz, rigid_responses[rigid].translation.xyz) +
                        dot(rigid_coupling_angular[i].xyz, rigid_responses[rigid].rotation.xyz);
        matvec_products[i] += product;
        sum += cg_directions[i] * product;
    }
    vec4 all = workgroup_sum_and_max(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) block_sums[block].x += all.x;
    finish_pass(POISSON_SCALARS_CURVATURE);
}
