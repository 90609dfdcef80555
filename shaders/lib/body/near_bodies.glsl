// Unpacks the list of bodies near a particle.
// Buffers: params, met.
#ifndef BODY_NEAR_BODIES_GLSL
#define BODY_NEAR_BODIES_GLSL

// Bodies in two words, 16 bits each.
uint near_body_in(uvec2 bodies, uint k)
{
    return (k < 2u ? bodies.x : bodies.y) >> 16u * (k & 1u) & SIM_NEAR_BODIES_NONE;
}

// Body k of those that are named, SIM_NEAR_BODIES_NONE behind the last.
uint near_body_at(uvec2 bodies, uint k) { return k < SIM_NEAR_BODIES_MAX ? near_body_in(bodies, k) : SIM_NEAR_BODIES_NONE; }

// Are they named?
bool near_bodies_are_listed(uvec2 bodies) { return near_body_in(bodies, 0u) != SIM_NEAR_BODIES_OVERFLOW; }

// Where what body k does to the row's particle is kept.
uint near_body_result_index(uint k) { return params.particle_capacity + k * params.near_bodies_capacity + invocation_index(); }
#endif
