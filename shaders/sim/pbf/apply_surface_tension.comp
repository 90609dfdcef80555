// Moves the prediction by surface tension; one invocation per particle. Particles that an emitter leads, with
// an infinite mass, stay.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(tension_displacements);
UPDATE_OWN(iterated_positions);
UPDATE_OWN(sorted_clearances);

void main()
{
    PARTICLE_OR_RETURN(i);
    vec3 moved = tension_displacements[i].xyz;
    if (fixed_is_non_finite(moved)) return;
    ivec4 p = iterated_positions[i];
    if (HAS_FIXED_PARTICLES && intBitsToFloat(p.w) <= 0.0) return;
    iterated_positions[i].xyz = p.xyz + fixed_from_offset(moved);
    if (HAS_SOLIDS) sorted_clearances[i] -= SIM_SDF_MAX_SLOPE * length(moved);
}
