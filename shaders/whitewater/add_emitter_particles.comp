// Adds the particles of emitters behind those that the fluid has emitted; one invocation per particle. Walls
// push them out like others.
#version 460
#include "bindings/whitewater.glsl"

BLOCK(params);
READ_ANY(items);
READ_ANY(poses);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_OWN(emitter_particles);
ATOMIC(counters);
WRITE_ANY(particles);
WRITE_ANY(next_attributes);
#include "whitewater/boundary.glsl"

void main()
{
    uint i = invocation_index();
    if (i >= params.emitter_particle_count || counters.count > params.capacity) return;
    uint b = counters.emission_count - params.emitter_particle_count + i, to = counters.survivors + b;
    whitewater_particle born = emitter_particles[i];
    whitewater_collide(born.position.xyz, born.velocity.xyz, born.position.w);
    born.position.xyz = whitewater_wrap(born.position.xyz);
    born.id = params.next_id + b;
    particles[to] = born;
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        next_attributes[ATTRIBUTE_VECTORS * to + k] = params.initial_attributes[k];
    atomicAdd(counters.alive[born.kind], 1u);
}
