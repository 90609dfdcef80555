// The neighbours' part of A x. Needs `coefficients`, the functions of poisson.glsl, and x as STENCIL(cell).

float stencil_neighbours(uint block, uint cell, vec4 own)
{
    float sum = 0.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        uint low = poisson_beside(block, cell, 2u * axis), high = poisson_beside(block, cell, 2u * axis + 1u);
        if (low != POISSON_NONE) sum += own[axis] * STENCIL(low);
        if (high != POISSON_NONE) sum += coefficients[high][axis] * STENCIL(high);
    }
    return sum;
}
