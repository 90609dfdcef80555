// Computes the density over rest density of particle i at p, without the boundary (Macklin and Mueller 2013,
// equation 2). The including shader may define DENSITY_POSITION(j), the position of neighbour j.
// Buffers: iterated_positions, and those of neighbours/pair.glsl.
#ifndef PARTICLES_DENSITY_GLSL
#define PARTICLES_DENSITY_GLSL
#include "neighbours/pair.glsl"
#include "particles/smoothing_kernels.glsl"

// The position of neighbour j.
#ifndef DENSITY_POSITION
#define DENSITY_POSITION(j) TEXEL(iterated_positions, j).xyz
#endif

float pair_density(ivec3 p, uint j, bool wanted)
{
    float r2 = pair_distance2_steps(pair_offset_steps(p, DENSITY_POSITION(j)), wanted);
    return kernel_value(r2, max(1.0 - sqrt(r2), 0.0));
}

float sum_pair_densities(uint i, ivec3 p, uint count)
{
    float density = 0.0;
    FOR_EACH_NEIGHBOUR(i, count, density += pair_density(p, j, wanted))
    return params.kernel_density * (1.0 + density);
}
#endif
