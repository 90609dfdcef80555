// One invocation a body: the substep is complete. A body that has left the finite numbers rests from then on
// where it was.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

BLOCK(state);
BLOCK(status);
OWN_UPDATE(body_states);
OWN_READ(body_iterates);

void main()
{
    uint i = row_index();
    if (i >= params.sink_first - params.solid_count || state.flags != 0u || status.running == 0u) return;
    body_state at = body_iterates[i];
    bvec3 lost = not_finite(at.position.xyz);
    bool turns = !any(not_finite(at.rotation.xyz)) && !any(not_finite(at.spin.xyz));
    if (any(lost) || any(not_finite(at.velocity.xyz)) || !turns) {
        at = body_states[i];
        at.position.w = 1.0;
        at.velocity = at.spin = vec4(0.0);
    }
    body_states[i] = at;
}
