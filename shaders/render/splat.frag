// One splat into both buffers at once: 1/z by MAX, thickness by ADD; no depth test.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
#include "splat_in.glsl"

layout(binding = RENDER_BIND_LIMIT) uniform texture2D solid_depth;
layout(location = 0) out float nearest;
layout(location = 1) out vec2 thickness;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[row.constant];
    float limit = camera_depth(camera, texelFetch(solid_depth, ivec2(gl_FragCoord.xy), 0).x);
    splat_hit hit = splat_here(camera, limit, ray);
    float chord = splat_thickness(hit, ray);
    nearest = 1.0 / hit.near;
    thickness = chord * vec2(1.0, rest.z);
}
