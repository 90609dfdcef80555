// Predicts each vertex's displacement in the substep without constraints; one invocation per vertex.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
ATOMIC(status);
READ_OWN(deformable_states);
WRITE_OWN(deformable_displacements);
#include "particles/external_forces.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    deformable_state at = deformable_states[i];
    bool capped = false;
    vec3 velocity = vec3(0.0);
    if (at.position.w > 0.0) velocity = predict_velocity(at.position.xyz, at.velocity.xyz, capped);
    if (capped) atomicAdd(status.clamped_speeds, 1u);
    deformable_displacements[i] = vec4(velocity * status.dt, at.position.w);
}
