// One invocation a sample: the substep is complete. Keeps the force of its contact for the next; a body that
// sleeps keeps those that it fell asleep with.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(body_states);
READ_OWN(samples);
READ_OWN(contacts);
WRITE_OWN(holds);

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    if (body_states[samples[i].body].spin.w != 0.0) return;
    vec3 force = contacts[i].impulse.xyz * (BODY_KEPT / (status.dt * status.dt));
    bool none = all(equal(force, vec3(0.0))) || any(not_finite(force));
    uint source = contacts[i].source;
    float from = source == BODY_WALL ? BODY_HOLD_WALL : float(source) + 1.0;
    holds[i].force = none ? vec4(0.0, 0.0, 0.0, BODY_HOLD_NONE) : vec4(force, from);
}
