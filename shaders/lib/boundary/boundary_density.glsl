// Reads the boundary term of the density of a particle, or computes that of the sides where there are no
// solids.
// Buffers: boundary_sums.
#ifndef BOUNDARY_BOUNDARY_DENSITY_GLSL
#define BOUNDARY_BOUNDARY_DENSITY_GLSL
#include "boundary/domain_sides.glsl"

// Gradient (1/m) and density of the walls at p, where particle i is: as a row before has found them, or where
// there are no solids the domain's sides alone.
vec4 boundary_gradient_density(uint i, ivec3 p)
{
    if (HAS_SOLIDS) return boundary_sums[i];
    boundary_sum sides = boundary_sides_density(p);
    return vec4(sides.gradient, sides.density);
}
#endif
