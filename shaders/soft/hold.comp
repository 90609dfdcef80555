// One invocation a pin: its vertex goes to where its solid is at the substep's end.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(soft_states);
SCATTER(soft_moves);
OWN_READ(soft_pins);
#include "shape.glsl"
#include "wall.glsl"

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u) return;
    soft_pin pin = soft_pins[i];
    uint now = wall_pose_range(pin.item).y;
    vec3 p = wall_rotate(poses[now].rotation, pin.place.xyz) + poses[now].position.xyz;
    soft_moves[pin.vertex] = vec4(p - soft_states[pin.vertex].position.xyz, 0.0);
}
