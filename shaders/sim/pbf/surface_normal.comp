// Computes the normal of the free surface at every particle, times h: the gradient of the colour field
// (Akinci, Akinci and Teschner 2013, section 3.2). It points inwards at the surface and is nearly zero inside
// the fluid. One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_TEXELS(iterated_positions);
WRITE_OWN(normals);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
#include "particles/smoothing_kernels.glsl"
#include "neighbours/pair.glsl"

// Adds one pair: xyz sum of gradients, w sum of kernel values, both without their constant factors.
void add_pair(inout vec4 sum, ivec3 p, uint j, bool wanted)
{
    vec3 d = pair_offset(p, TEXEL(iterated_positions, j).xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    sum += vec4(-d * (g * g * inverse), kernel_value(r2, g));
}

void main()
{
    NEAR_PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    uint count = neighbour_headers[i] & GRID_COUNT_MASK;
    vec4 sum = vec4(0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, j, wanted))
    normals[i] = vec4(sum.xyz * (params.spiky * params.h), params.kernel_density * (1.0 + sum.w));
}
