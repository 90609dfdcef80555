// Writes 1/z of a splat, blended by MAX, so that the order does not matter.
#version 460
#include "render/splat_fragment.glsl"

#include "render/splat_limit.glsl"
layout(location = 0) out float nearest;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[pass.constant & 1u];
    splat_hit hit = splat_hit_at_pixel(camera, splat_occluder_depth(camera), ray);
    nearest = 1.0 / hit.near;
}
