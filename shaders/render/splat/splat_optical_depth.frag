// Accumulates the optical depth of one splat where fluid has several colours: red, green, blue, and
// scattering.
#version 460
#include "render/splat_fragment.glsl"

#include "render/splat_limit.glsl"
layout(location = 4) flat in vec4 absorption;
layout(location = 0) out vec4 optical;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[pass.constant & 1u];
    splat_hit hit = splat_hit_at_pixel(camera, splat_occluder_depth(camera), ray);
    optical = splat_thickness(hit, ray) * absorption;
}
