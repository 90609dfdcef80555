// Converts between pixels, view space and the world. View space: x right, y up, z forward.
#ifndef RENDER_CAMERA_GLSL
#define RENDER_CAMERA_GLSL

struct view_ray {
    vec3 origin, direction; // direction.z is 1, so the ray's parameter is the depth
};

view_ray camera_ray(render_camera c, vec2 pixel)
{
    vec2 s = (2.0 * pixel * c.frame.zw - 1.0) * vec2(c.right.w, -c.up.w);
    return c.forward.w != 0.0 ? view_ray(vec3(s, 0.0), vec3(0.0, 0.0, 1.0))
                              : view_ray(vec3(0.0), vec3(s + c.middle.xy, 1.0));
}

vec3 camera_to_view(render_camera c, vec3 world) // a direction, from the world to view space
{
    return vec3(dot(c.right.xyz, world), dot(c.up.xyz, world), dot(c.forward.xyz, world));
}

vec3 camera_to_world_direction(render_camera c, vec3 view) // a direction, from view space to the world
{
    return c.right.xyz * view.x + c.up.xyz * view.y + c.forward.xyz * view.z;
}

vec3 camera_world_to_view(render_camera c, vec3 world) { return camera_to_view(c, world - c.eye.xyz); }

vec3 camera_view_to_world(render_camera c, vec3 view)
{
    return c.eye.xyz + camera_to_world_direction(c, view);
}

// Returns the pixel of a point in view space.
vec2 camera_project(render_camera c, vec3 view)
{
    vec2 s = view.xy / vec2(c.right.w, -c.up.w);
    if (c.forward.w == 0.0) s = s / view.z - c.middle.zw;
    return (0.5 + 0.5 * s) * c.frame.xy;
}

// Returns a depth as attachments store it: 1 at the near plane (with parallel rays at the plane of the eye),
// decreasing with the distance.
float camera_encode_depth(render_camera c, float z)
{
    return c.forward.w != 0.0 ? 1.0 - z / c.forward.w : c.eye.w / z;
}

float camera_decode_depth(render_camera c, float stored)
{
    if (c.forward.w != 0.0) return stored > 0.0 ? (1.0 - stored) * c.forward.w : RENDER_FAR;
    return stored > 0.0 ? c.eye.w / stored : RENDER_FAR;
}
#endif
