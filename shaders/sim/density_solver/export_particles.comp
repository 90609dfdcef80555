// Writes the particles back to the host program's buffers in its own order, in place of
// finalize_velocity.comp; one invocation per particle. Density solver only. A particle that was skipped, that
// is fixed, or that has become non-finite in the solve keeps its input values.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(iterated_positions);
READ_OWN(new_velocities);
READ_OWN(sort_sources);
WRITE_ANY(external_positions);
WRITE_ANY(external_velocities);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    ivec4 to = iterated_positions[i];
    if (to.x == SIM_INVALID_POSITION || intBitsToFloat(to.w) == 0.0) return;
    vec3 x = fixed_to_metres(PERIODIC ? fixed_wrap(to.xyz) : to.xyz), v = new_velocities[i].xyz;
    uint at = sort_sources[i] * (pass.constant & SIM_EXTERNAL_STRIDE_MASK);
    for (uint k = 0u; k < 3u; k++) {
        external_positions[at + k] = x[k];
        external_velocities[at + k] = v[k];
    }
}
