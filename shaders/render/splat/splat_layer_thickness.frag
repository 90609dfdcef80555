// Accumulates the thickness of a splat's part within RENDER_LAYER_REACH spacings behind the surface. The
// image is half as wide and high, because it is smoothed before use.
#version 460
#include "render/splat_fragment.glsl"

READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(occluder_depth);
layout(location = 0) out vec2 thickness;

void main()
{
    render_camera camera = params.cameras[pass.constant & 1u];
    ivec2 size = textureSize(fluid, 0), p = min(2 * ivec2(gl_FragCoord.xy), size - 1);
    view_ray ray = camera_ray(camera, vec2(p) + 0.5);
    float reach = RENDER_LAYER_REACH * params.spacing / length(ray.direction);
    float solid = camera_decode_depth(camera, texelFetch(occluder_depth, p, 0).x);
    float limit = 1.0 / texelFetch(fluid, p, 0).x + reach;
    if ((pass.constant & 2u) != 0u) limit = min(limit, solid);
    splat_hit hit = drops_intersect(splat_of_fragment(), ray, camera, limit);
    if (!hit.found) discard;
    thickness = splat_thickness(hit, ray) * vec2(1.0, rest.z);
}
