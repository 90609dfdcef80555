// Sweeps of the smoother at one cell: Jacobi iterations whose step lengths are the reciprocal roots of a
// Chebyshev polynomial (Adams and others 2003), so that no cell waits for another and the result does not
// depend on an order.
// Buffers: multigrid, blocks, coefficients, right_sides.
#ifndef POISSON_SWEEP_GLSL
#define POISSON_SWEEP_GLSL
#include "poisson/stencil.glsl"

// Defines a function that returns x of a cell after a sweep; VALUE(i): x of cell i before it. VALUE may
// compute what an earlier pass would have stored.
#define DEFINE_SWEEP(name, VALUE) \
    float name(uint block, uint cell, uint sweep) \
    { \
        uint i = block * POISSON_BLOCK_CELLS + cell; \
        vec4 own = coefficients[i]; \
        if (!(own.w > 0.0)) return 0.0; \
        float x = VALUE(i), neighbours = 0.0; \
        ADD_NEIGHBOURS(neighbours, block, cell, own, VALUE) \
        float wanted = (right_sides[i] + neighbours) / own.w; \
        return x + multigrid.sweeps[sweep] * (wanted - x); \
    }

// Returns x of a cell after the first sweep, which starts from 0.
float first_sweep_value(uint i)
{
    float sum = coefficients[i].w;
    return sum > 0.0 ? multigrid.sweeps[0] * right_sides[i] / sum : 0.0;
}
#endif
