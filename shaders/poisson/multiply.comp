// A times the direction. Partials: the product of both.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(directions);
WRITE_ANY(products);
WRITE_ANY(partials);
#include "poisson/level.glsl"
#define STENCIL(cell) directions[cell]
#include "poisson/stencil.glsl"
#include "reduce/max_sum.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    float sum = 0.0;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        vec4 own = coefficients[i];
        float x = directions[i], product = 0.0;
        if (own.w > 0.0) product = own.w * x - stencil_neighbours(block, cell, own);
        products[i] = product;
        sum += x * product;
    }
    vec4 all = lanes_join(vec4(sum, 0.0, 0.0, 0.0));
    if (gl_LocalInvocationIndex == 0u) partials[block] = all;
}
