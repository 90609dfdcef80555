// Sums the right-hand side, the fluid cells and the coefficients to air, takes the largest magnitude of the
// right-hand side, and sets the scalars at the start of conjugate gradients from them; one workgroup per
// block, and at least one.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(air_coefficients);
READ_ANY(right_sides);
SHARE_ANY(block_sums);
#include "poisson/level.glsl"
#include "poisson/cg_scalars.glsl"

void main()
{
    uint block = workgroup_block(0u);
    bool empty = solve.firsts[1] == 0u && workgroup_index() == 0u;
    if (block == POISSON_NONE && !empty) return; // uniform across the workgroup
    vec4 own = vec4(0.0);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION && !empty; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        if (!(coefficients[i].w > 0.0)) continue;
        own.xyz += vec3(right_sides[i], 1.0,
                        air_coefficients[i].x + air_coefficients[i].y + air_coefficients[i].z);
        own.w = max(own.w, abs(right_sides[i]));
    }
    own = workgroup_sum_and_max(own);
    if (gl_LocalInvocationIndex == 0u && !empty) block_sums[block] = own;
    finish_pass(POISSON_SCALARS_START);
}
