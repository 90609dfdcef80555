// Compacts surviving particles to the front of the array in their order, and counts each kind; one invocation
// per particle.
#version 460
#include "bindings/whitewater.glsl"

BLOCK(params);
READ_ANY(survivor_offsets);
READ_OWN(advected_particles);
ATOMIC(counters);
WRITE_ANY(particles);
READ_ANY(attributes);
WRITE_ANY(next_attributes);

void main()
{
    uint i = invocation_index();
    if (i >= params.particle_count || counters.count > params.capacity) return;
    uint to = survivor_offsets[i];
    if (survivor_offsets[i + 1u] == to) return;
    particles[to] = advected_particles[i];
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        next_attributes[ATTRIBUTE_VECTORS * to + k] = attributes[ATTRIBUTE_VECTORS * i + k];
    atomicAdd(counters.alive[advected_particles[i].kind], 1u);
}
