// The density constraint alone: gives the caller's particles back at their places in the caller's order, in
// place of commit.comp. What was not taken, what is held, and what has left the finite numbers in the solve
// stays as it was given.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(iterates);
READ_OWN(new_velocities);
READ_OWN(sources);
WRITE_ANY(given_positions);
WRITE_ANY(given_velocities);

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= state.live);
    ivec4 to = iterates[i];
    if (to.x == SIM_LOST || intBitsToFloat(to.w) == 0.0) return;
    vec3 x = fixed_metres(PERIODIC ? fixed_wrapped(to.xyz) : to.xyz), v = new_velocities[i].xyz;
    uint at = sources[i] * (row.constant & SIM_GIVEN_WORDS);
    for (uint k = 0u; k < 3u; k++) {
        given_positions[at + k] = x[k];
        given_velocities[at + k] = v[k];
    }
}
