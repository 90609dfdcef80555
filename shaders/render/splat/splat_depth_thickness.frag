// Writes one splat into both images at once: 1/z blended by MAX, thickness by ADD; no depth test.
#version 460
#include "render/splat_fragment.glsl"

#include "render/splat_limit.glsl"
layout(location = 0) out float nearest;
layout(location = 1) out vec2 thickness;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[pass.constant & 1u];
    splat_hit hit = splat_hit_at_pixel(camera, splat_occluder_depth(camera), ray);
    float chord = splat_thickness(hit, ray);
    nearest = 1.0 / hit.near;
    thickness = chord * vec2(1.0, rest.z);
}
