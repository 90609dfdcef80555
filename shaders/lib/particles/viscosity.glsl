// Computes the viscous stress between particles and from boundaries (Weiler, Koschier, Brand and Bender 2018,
// equation 5, with a kernel of slope W' = -q^2 (1 - q^2)^3 up to a factor: on a lattice, in sliding layers
// and in a close packing it reproduces the requested viscosity to 5 %). The drag coefficient of a fluid is
// its dynamic viscosity times the factor of src/sim/solvers/viscosity.c (docs/equations.md).
#ifndef PARTICLES_VISCOSITY_GLSL
#define PARTICLES_VISCOSITY_GLSL

// Returns minus the force on a particle over its volume, without the drag coefficient of its fluid, for a
// velocity difference, own minus other. `weight` is the weight of the pair.
vec3 viscous_pair_force(vec3 d, float r2, vec3 difference, out float weight)
{
    float t = max(1.0 - r2, 0.0);
    weight = t * t * t * inversesqrt(max(r2, 1e-12));
    return d * (weight * dot(difference, d));
}

// Returns the viscosity between two particles, the harmonic mean of theirs.
float viscous_mean(float own, float other) { return 2.0 * own * other / max(own + other, 1e-30); }

// Returns the product of a particle's boundary_viscous_blocks and a velocity: the drag of boundaries on it.
vec3 boundary_viscous_product(vec4 diagonal, vec4 rest, vec3 velocity)
{
    vec3 off = vec3(diagonal.w, rest.xy); // xy, xz, yz
    vec3 across = vec3(dot(off.xy, velocity.yz), dot(off.xz, velocity.xz), dot(off.yz, velocity.xy));
    return diagonal.xyz * velocity + across;
}
#endif
