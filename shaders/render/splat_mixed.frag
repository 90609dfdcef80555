// The optical depth of one splat of one of several fluids, added up: red, green, blue, and scattering.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
#include "splat_in.glsl"

layout(binding = RENDER_BIND_LIMIT) uniform texture2D solid_depth;
layout(location = 0) out vec4 optical;

void main()
{
    view_ray ray;
    render_camera camera = params.cameras[row.constant];
    float limit = camera_depth(camera, texelFetch(solid_depth, ivec2(gl_FragCoord.xy), 0).x);
    splat_hit hit = splat_here(camera, limit, ray);
    uint fluid = floatBitsToUint(rest.w) >> 24;
    optical = splat_thickness(hit, ray) * params.fluids[min(fluid, RENDER_FLUIDS - 1u)].absorption;
}
