// Copies the particles into a snapshot slot for the renderer and the mesher (src/grid/grid.h: particle_view);
// one invocation per element of the slot, pass.constant elements.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(positions);
READ_ANY(velocities);
READ_ANY(ids);
READ_ANY(densities);
READ_ANY(attributes);
WRITE_ANY(snapshot_positions);
WRITE_ANY(snapshot_velocities);
WRITE_ANY(snapshot_ids);
WRITE_ANY(snapshot_fluids);
WRITE_ANY(snapshot_densities);
WRITE_ANY(snapshot_attributes);

void main()
{
    uint i = invocation_index();
    if (i >= pass.constant) return;
    if (i >= status.count) { // the host has reserved more elements than there are particles
        snapshot_positions[i] = vec4(0.0, 0.0, 0.0, -1.0);
        return;
    }
    ivec4 from = positions[i];
    vec3 nowhere = vec3(uintBitsToFloat(0x7fc00000u));
    snapshot_positions[i] = vec4(from.x == SIM_INVALID_POSITION ? nowhere : fixed_to_metres(from.xyz), 1.0);
    snapshot_velocities[i] = vec4(velocities[i].xyz, 0.0);
    snapshot_ids[i] = ids[i];
    snapshot_fluids[i] = uint(from.w);
    snapshot_densities[i] = densities[i];
    for (uint k = 0u; k < ATTRIBUTE_VECTORS; k++)
        snapshot_attributes[ATTRIBUTE_VECTORS * i + k] = attributes[ATTRIBUTE_VECTORS * i + k];
}
