// Moves each pinned vertex to its point on the solid at the substep's end; one invocation per pin.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(deformable_states);
WRITE_ANY(deformable_displacements);
READ_OWN(deformable_pins);
#include "boundary/boundary.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    deformable_pin pin = deformable_pins[i];
    uint now = item_pose_range(pin.item).y;
    vec3 p = quat_rotate(poses[now].rotation, pin.position.xyz) + poses[now].position.xyz;
    deformable_displacements[pin.vertex] = vec4(p - deformable_states[pin.vertex].position.xyz, 0.0);
}
