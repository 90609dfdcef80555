// Stores the contact force of each sample for the warm start of the next substep; one invocation per sample.
// A sleeping body keeps the forces with which it fell asleep.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(body_states);
READ_OWN(samples);
READ_OWN(contacts);
WRITE_OWN(cached_forces);

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    if (body_states[samples[i].body].angular_momentum.w != 0.0) return;
    vec3 force = contacts[i].impulse.xyz * (BODY_WARM_START_FACTOR / (status.dt * status.dt));
    bool none = all(equal(force, vec3(0.0))) || any(not_finite(force));
    uint source = contacts[i].source;
    float from = source == BODY_BOUNDARY ? BODY_FORCE_BOUNDARY : float(source) + 1.0;
    cached_forces[i].force = none ? vec4(0.0, 0.0, 0.0, BODY_FORCE_NONE) : vec4(force, from);
}
