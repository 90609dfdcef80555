// What rigids add to A times the direction: J times their answer. The partials with it.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(directions);
READ_ANY(ties);
READ_ANY(tie_turns);
READ_ANY(rigids);
UPDATE_ANY(products);
UPDATE_ANY(partials);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    float sum = 0.0;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        vec4 tie = ties[i];
        if (tie.w == 0.0 || !(coefficients[i].w > 0.0)) continue;
        uint rigid = uint(tie.w) - 1u;
        float product = dot(tie.xyz, rigids[rigid].shift.xyz) +
                        dot(tie_turns[i].xyz, rigids[rigid].turn.xyz);
        products[i] += product;
        sum += directions[i] * product;
    }
    vec4 all = lanes_join(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) partials[block].x += all.x;
}
