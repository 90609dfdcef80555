// One invocation a vertex: its displacement in the substep without constraints.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
ATOMIC(status);
READ_OWN(soft_states);
WRITE_OWN(soft_moves);
#include "particles/external_forces.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    soft_state at = soft_states[i];
    bool capped = false;
    vec3 velocity = vec3(0.0);
    if (at.position.w > 0.0) velocity = predict_velocity(at.position.xyz, at.velocity.xyz, capped);
    if (capped) atomicAdd(status.speed_caps, 1u);
    soft_moves[i] = vec4(velocity * status.dt, at.position.w);
}
