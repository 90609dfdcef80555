// Writes the partial sums of each block: the sum of the right-hand side, the number of fluid cells, the sum
// of the coefficients to air, and the largest magnitude of the right-hand side; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(air_coefficients);
READ_ANY(right_sides);
WRITE_ANY(block_sums);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    vec4 own = vec4(0.0);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        if (!(coefficients[i].w > 0.0)) continue;
        own.xyz += vec3(right_sides[i], 1.0,
                        air_coefficients[i].x + air_coefficients[i].y + air_coefficients[i].z);
        own.w = max(own.w, abs(right_sides[i]));
    }
    own = workgroup_sum_and_max(own);
    if (gl_LocalInvocationIndex == 0u) block_sums[block] = own;
}
