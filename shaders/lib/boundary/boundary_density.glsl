// Reads the boundary term of the density of a particle, or computes that of the sides where there are no
// solids.
// Buffers: wall_sums.
#ifndef BOUNDARY_BOUNDARY_DENSITY_GLSL
#define BOUNDARY_BOUNDARY_DENSITY_GLSL
#include "boundary/domain_sides.glsl"

// Gradient (1/m) and density of the walls at p, where particle i is: as a row before has found them, or where
// there are no solids the domain's sides alone.
vec4 wall_at(uint i, ivec3 p)
{
    if (HAS_SOLIDS) return wall_sums[i];
    wall_sum sides = wall_density_sides(p);
    return vec4(sides.gradient, sides.density);
}
#endif
