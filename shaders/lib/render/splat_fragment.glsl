// What the fragment stages of splats take in.
#ifndef RENDER_SPLAT_FRAGMENT_GLSL
#define RENDER_SPLAT_FRAGMENT_GLSL
#include "bindings/render_draw.glsl"

UNIFORM(params);
#include "render/splat.glsl"

layout(location = 0) flat in vec4 low;
layout(location = 1) flat in vec4 high;
layout(location = 2) flat in vec4 rest;

// The hit at this pixel, in front of `limit`; a fragment without one ends here.
splat_hit splat_hit_at_pixel(render_camera camera, float limit, out view_ray ray)
{
    ray = camera_ray(camera, gl_FragCoord.xy);
    splat_hit hit = drops_intersect(render_splat(low, high, rest, vec4(0.0)), ray, camera, limit);
    if (!hit.found) discard;
    return hit;
}

// Metres of fluid: the chord, scaled so that all chords of a particle hold its volume and no more.
float splat_thickness(splat_hit hit, view_ray ray)
{
    return (hit.far - hit.near) * length(ray.direction) * rest.y;
}
#endif
