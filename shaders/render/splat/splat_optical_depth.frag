// Accumulates the optical depth of one splat in scenes with several fluids: red, green, blue, and scattering.
#version 460
#include "render/splat_fragment.glsl"

#include "render/splat_limit.glsl"
layout(location = 0) out vec4 optical;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[pass.constant & 1u];
    splat_hit hit = splat_hit_at_pixel(camera, splat_occluder_depth(camera), ray);
    uint fluid = word >> 24;
    optical = splat_thickness(hit, ray) * params.fluids[min(fluid, RENDER_MAX_FLUIDS - 1u)].absorption;
}
