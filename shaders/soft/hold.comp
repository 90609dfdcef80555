// One invocation a pin: its vertex goes to where its solid is at the substep's end.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(soft_states);
WRITE_ANY(soft_moves);
READ_OWN(soft_pins);
#include "boundary/boundary.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    soft_pin pin = soft_pins[i];
    uint now = wall_pose_range(pin.item).y;
    vec3 p = wall_rotate(poses[now].rotation, pin.place.xyz) + poses[now].position.xyz;
    soft_moves[pin.vertex] = vec4(p - soft_states[pin.vertex].position.xyz, 0.0);
}
