// Sweeps of the smoother at one cell: Jacobi iterations whose step lengths are the reciprocal roots of a
// Chebyshev polynomial (Adams and others 2003), so that no cell waits for another and the result does not
// depend on an order.
// Buffers: multigrid, blocks, coefficients, right_sides.
#ifndef POISSON_SWEEP_GLSL
#define POISSON_SWEEP_GLSL
#include "poisson/stencil.glsl"

// Defines a function that returns x of a cell after a sweep; VALUE(i): x of cell i before it, and
// RIGHT_SIDE(i): b. Both may compute what an earlier pass would have stored.
#define DEFINE_SWEEP(name, VALUE) DEFINE_SWEEP_OF(name, VALUE, RIGHT_SIDE_VALUE)
#define RIGHT_SIDE_VALUE(i) right_sides[i]
#define DEFINE_SWEEP_OF(name, VALUE, RIGHT_SIDE) \
    float name(uint block, uint cell, uint sweep) \
    { \
        uint i = block * POISSON_BLOCK_CELLS + cell; \
        vec4 own = coefficients[i]; \
        if (!(own.w > 0.0)) return 0.0; \
        float x = VALUE(i), neighbours = 0.0; \
        ADD_NEIGHBOURS(neighbours, block, cell, own, VALUE) \
        float wanted = (RIGHT_SIDE(i) + neighbours) / own.w; \
        return x + multigrid.sweeps[sweep] * (wanted - x); \
    }

// Returns x of a cell after the first sweep, which starts from 0.
float first_sweep_of(uint i, float right_side)
{
    float sum = coefficients[i].w;
    return sum > 0.0 ? multigrid.sweeps[0] * right_side / sum : 0.0;
}

float first_sweep_value(uint i) { return first_sweep_of(i, right_sides[i]); }
#endif
