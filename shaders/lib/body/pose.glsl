// Writes the poses of a body, which boundary/boundary.glsl reads like those of any item.
// Buffers: params, status, bodies, poses.
#ifndef BODY_POSE_GLSL
#define BODY_POSE_GLSL
#include "math/rotation.glsl"

// Returns the index of the first pose of the running substep, and the number of poses; see item_pose_range.
uvec2 body_pose_range(uint body)
{
    uint stride = params.substeps / max(status.substeps, 1u);
    uint first = min(pass.outer * stride, params.substeps - stride);
    return uvec2(first * params.item_count + params.solid_count + body, stride);
}

vec3 body_item_origin(uint body, body_state at)
{
    return at.position.xyz - quat_rotate(at.rotation, bodies[body].centre.xyz);
}

void set_body_start_pose(uint body, body_state at)
{
    uint pose = body_pose_range(body).x;
    poses[pose].last_position.xyz = body_item_origin(body, at);
    poses[pose].last_rotation = at.rotation;
}

void set_body_end_pose(uint body, body_state at)
{
    uvec2 range = body_pose_range(body);
    uint pose = range.x + (range.y - 1u) * params.item_count;
    poses[pose].position.xyz = body_item_origin(body, at);
    poses[pose].rotation = at.rotation;
}
#endif
