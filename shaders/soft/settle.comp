// One invocation a vertex: the substep is complete. One that has left the finite numbers rests from then on
// where it was.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(soft_states);
READ_OWN(soft_moves);

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    soft_state at = soft_states[i];
    vec3 moved = soft_moves[i].xyz, velocity = moved / status.dt;
    if (any(not_finite(moved)) || any(not_finite(velocity)) || any(not_finite(at.position.xyz + moved))) {
        soft_states[i] = soft_state(vec4(at.position.xyz, 0.0), vec4(0.0, 0.0, 0.0, 1.0));
        return;
    }
    soft_states[i] = soft_state(vec4(at.position.xyz + moved, at.position.w), vec4(velocity, at.velocity.w));
}
