// Reads the boundary term of a particle's density, or computes it in scenes without solids.
// Buffers: boundary_sums.
#ifndef BOUNDARY_BOUNDARY_DENSITY_GLSL
#define BOUNDARY_BOUNDARY_DENSITY_GLSL
#include "boundary/domain_sides.glsl"

// Returns the gradient (1/m) and the density of the boundary at the position p of particle i: stored by an
// earlier pass, or without solids computed from the domain's sides.
vec4 boundary_gradient_density(uint i, ivec3 p)
{
    if (HAS_SOLIDS) return boundary_sums[i];
    boundary_sum sides = boundary_sides_density(p);
    return vec4(sides.gradient, sides.density);
}
#endif
