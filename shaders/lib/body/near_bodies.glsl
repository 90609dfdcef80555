// Unpacks the list of bodies near a particle.
// Buffers: params.
#ifndef BODY_NEAR_BODIES_GLSL
#define BODY_NEAR_BODIES_GLSL

// Returns entry k of up to four bodies, 16 bits each, in two words.
uint near_body_in(uvec2 bodies, uint k)
{
    return (k < 2u ? bodies.x : bodies.y) >> 16u * (k & 1u) & SIM_NEAR_BODIES_NONE;
}

// Returns body k of the list; SIM_NEAR_BODIES_NONE after the last.
uint near_body_at(uvec2 bodies, uint k)
{
    return k < SIM_NEAR_BODIES_MAX ? near_body_in(bodies, k) : SIM_NEAR_BODIES_NONE;
}

// Returns false if there were too many bodies, or no room, to list them.
bool near_bodies_are_listed(uvec2 bodies) { return near_body_in(bodies, 0u) != SIM_NEAR_BODIES_OVERFLOW; }

// Returns the index in near_bodies of the gradient and distance of body k for this invocation's particle.
uint near_body_result_index(uint k)
{
    return params.particle_capacity + k * params.near_bodies_capacity + invocation_index();
}
#endif
