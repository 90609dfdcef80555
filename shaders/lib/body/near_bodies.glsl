// Unpacks the list of bodies near a particle.
// Buffers: params, met.
#ifndef BODY_NEAR_BODIES_GLSL
#define BODY_NEAR_BODIES_GLSL

// Bodies in two words, 16 bits each.
uint met_body(uvec2 bodies, uint k)
{
    return (k < 2u ? bodies.x : bodies.y) >> 16u * (k & 1u) & SIM_MET_NONE;
}

// Body k of those that are named, SIM_MET_NONE behind the last.
uint met_named(uvec2 bodies, uint k) { return k < SIM_MET_BODIES ? met_body(bodies, k) : SIM_MET_NONE; }

// Are they named?
bool met_are_named(uvec2 bodies) { return met_body(bodies, 0u) != SIM_MET_MANY; }

// Where what body k does to the row's particle is kept.
uint met_kept_at(uint k) { return params.particle_capacity + k * params.met_capacity + row_index(); }
#endif
