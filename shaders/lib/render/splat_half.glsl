// Intersects splats with the rays of an image at half the resolution.
#ifndef RENDER_SPLAT_HALF_GLSL
#define RENDER_SPLAT_HALF_GLSL
#include "render/splat_fragment.glsl"
#include "render/sampled_pixel.glsl"
#include "render/splat_limit.glsl"

// Returns the hit of the ray through the pixel that this texel samples, and the surface's 1/z there; discards
// a fragment without one.
splat_hit splat_hit_at_sample(render_camera camera, out view_ray ray, out float w)
{
    ivec2 p;
    w = sampled_pixel(ivec2(gl_FragCoord.xy), p);
    if (w <= 0.0) discard;
    ray = camera_ray(camera, vec2(p) + 0.5);
    splat_hit hit = drops_intersect(splat_of_fragment(), ray, camera, splat_occluder_depth_at(camera, p));
    if (!hit.found) discard;
    return hit;
}
#endif
