// Accumulates the thickness of one splat, and that of its part within RENDER_LAYER_REACH spacings behind the
// surface, at half the resolution.
#version 460
#include "render/splat_half.glsl"

layout(location = 0) out vec2 thickness;
layout(location = 1) out vec2 layer_thickness;

void main()
{
    view_ray ray;
    float w;
    splat_hit hit = splat_hit_at_sample(params.cameras[pass.constant & 1u], ray, w);
    thickness = splat_thickness(hit, ray) * vec2(1.0, rest.z);
    float end = 1.0 / w + RENDER_LAYER_REACH * params.spacing / length(ray.direction);
    hit.far = max(min(hit.far, end), hit.near);
    layer_thickness = splat_thickness(hit, ray) * vec2(1.0, rest.z);
}
