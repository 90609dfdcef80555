// Accumulates the optical depth of one splat where fluid has several colours, at half the resolution: red,
// green, blue, and scattering.
#version 460
#include "render/splat_half.glsl"

layout(location = 4) flat in vec4 absorption;
layout(location = 0) out vec4 optical;

void main()
{
    view_ray ray;
    float w;
    splat_hit hit = splat_hit_at_sample(params.cameras[pass.constant & 1u], ray, w);
    optical = splat_thickness(hit, ray) * absorption;
}
