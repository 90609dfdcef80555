// Accumulates the thickness of one splat, at half the resolution.
#version 460
#include "render/splat_half.glsl"

layout(location = 0) out vec2 thickness;

void main()
{
    view_ray ray;
    float w;
    splat_hit hit = splat_hit_at_sample(params.cameras[pass.constant & 1u], ray, w);
    thickness = splat_thickness(hit, ray) * vec2(1.0, rest.z);
}
