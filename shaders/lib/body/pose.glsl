// Writes the poses of a body, which boundary/boundary.glsl reads like those of any item.
// Buffers: params, status, bodies, poses.
#ifndef BODY_POSE_GLSL
#define BODY_POSE_GLSL
#include "math/rotation.glsl"
#include "sdf/pose_range.glsl"

vec3 body_item_origin(uint body, body_state at)
{
    return at.position.xyz - quat_rotate(at.rotation, bodies[body].centre.xyz);
}

void set_body_start_pose(uint body, body_state at)
{
    uint pose = item_pose_range(params.solid_count + body).x;
    poses[pose].last_position.xyz = body_item_origin(body, at);
    poses[pose].last_rotation = at.rotation;
}

void set_body_end_pose(uint body, body_state at)
{
    uint pose = item_pose_range(params.solid_count + body).y;
    poses[pose].position.xyz = body_item_origin(body, at);
    poses[pose].rotation = at.rotation;
}
#endif
