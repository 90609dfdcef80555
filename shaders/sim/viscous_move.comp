// Moves the prediction by what the viscous solve has changed of the velocity. The velocity after the
// iterations follows from the positions, and so has the change in it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_READ(viscous_velocities);
OWN_UPDATE(iterates);
OWN_UPDATE(sorted_clearances);
WORK(10, 0, 0);

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || status.viscous_iterations == 0u) return;
    vec3 moved = viscous_velocities[i].xyz * status.dt;
    if (fixed_is_lost(moved)) return;
    iterates[i].xyz += fixed_step(moved);
    if (HAS_SOLIDS) sorted_clearances[i] -= SIM_SOLID_SLOPE * length(moved);
}
