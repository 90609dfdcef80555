// Completes a substep for each vertex: updates position and velocity; one invocation per vertex. A vertex
// with a non-finite state is frozen at its last finite position.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(deformable_states);
READ_OWN(deformable_displacements);

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    deformable_state at = deformable_states[i];
    vec3 moved = deformable_displacements[i].xyz, velocity = moved / status.dt;
    if (any(not_finite(moved)) || any(not_finite(velocity)) || any(not_finite(at.position.xyz + moved))) {
        deformable_states[i] = deformable_state(vec4(at.position.xyz, 0.0), vec4(0.0, 0.0, 0.0, 1.0));
        return;
    }
    deformable_states[i] =
        deformable_state(vec4(at.position.xyz + moved, at.position.w), vec4(velocity, at.velocity.w));
}
