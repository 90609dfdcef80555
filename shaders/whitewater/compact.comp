// Compacts surviving particles to the front of the array in their order, and counts each kind; one invocation
// per particle.
#version 460
#include "bindings/whitewater.glsl"

BLOCK(params);
READ_ANY(survivor_offsets);
READ_OWN(advected_particles);
ATOMIC(counters);
WRITE_ANY(particles);

void main()
{
    uint i = invocation_index();
    if (i >= params.particle_count || counters.count > params.capacity) return;
    uint to = survivor_offsets[i];
    if (survivor_offsets[i + 1u] == to) return;
    particles[to] = advected_particles[i];
    atomicAdd(counters.alive[advected_particles[i].kind], 1u);
}
