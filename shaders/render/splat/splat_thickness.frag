// Accumulates the thickness of one splat.
#version 460
#include "render/splat_fragment.glsl"

#include "render/splat_limit.glsl"
layout(location = 0) out vec2 thickness;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[pass.constant & 1u];
    splat_hit hit = splat_hit_at_pixel(camera, splat_occluder_depth(camera), ray);
    thickness = splat_thickness(hit, ray) * vec2(1.0, rest.z);
}
