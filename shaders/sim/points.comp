// Copies the particles into a slot for the renderer and the mesher (src/grid/grid.h: grid_points), which has
// row.constant places.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(positions);
READ_ANY(velocities);
READ_ANY(ids);
READ_ANY(densities);
WRITE_ANY(slot_positions);
WRITE_ANY(slot_velocities);
WRITE_ANY(slot_ids);
WRITE_ANY(slot_fluids);
WRITE_ANY(slot_densities);

void main()
{
    uint i = row_index();
    if (i >= row.constant) return;
    if (i >= status.count) { // the host has allowed for more
        slot_positions[i] = vec4(0.0, 0.0, 0.0, -1.0);
        return;
    }
    ivec4 from = positions[i];
    vec3 nowhere = vec3(uintBitsToFloat(0x7fc00000u));
    slot_positions[i] = vec4(from.x == SIM_LOST ? nowhere : fixed_metres(from.xyz), 1.0);
    slot_velocities[i] = vec4(velocities[i].xyz, 0.0);
    slot_ids[i] = ids[i];
    slot_fluids[i] = uint(from.w);
    slot_densities[i] = densities[i];
}
