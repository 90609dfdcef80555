// One invocation a sample: the substep is complete. Keeps the force of its contact for the next; a body that
// sleeps keeps those that it fell asleep with.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

BLOCK(state);
BLOCK(status);
GATHER(body_states);
OWN_READ(samples);
OWN_READ(contacts);
OWN_WRITE(holds);

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u) return;
    if (body_states[samples[i].body].spin.w != 0.0) return;
    vec3 force = contacts[i].impulse.xyz * (BODY_KEPT / (status.dt * status.dt));
    bool none = all(equal(force, vec3(0.0))) || any(not_finite(force));
    uint source = contacts[i].source;
    float from = source == BODY_WALL ? BODY_HOLD_WALL : float(source) + 1.0;
    holds[i].force = none ? vec4(0.0, 0.0, 0.0, BODY_HOLD_NONE) : vec4(force, from);
}
