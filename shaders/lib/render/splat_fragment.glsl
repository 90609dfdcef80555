// Inputs of the fragment shaders of splats, and the intersection with the ray through the pixel.
#ifndef RENDER_SPLAT_FRAGMENT_GLSL
#define RENDER_SPLAT_FRAGMENT_GLSL
#include "bindings/render_draw.glsl"

BLOCK(params);
#include "render/splat.glsl"

layout(location = 0) flat in vec4 low;
layout(location = 1) flat in vec4 high;
layout(location = 2) flat in vec3 rest;
layout(location = 3) flat in uint word; // the bits of render_splat.rest.w

render_splat splat_of_fragment()
{
    return render_splat(low, high, vec4(rest, uintBitsToFloat(word)), vec4(0.0));
}

// Returns the hit at this pixel in front of `limit`; discards a fragment without one.
splat_hit splat_hit_at_pixel(render_camera camera, float limit, out view_ray ray)
{
    ray = camera_ray(camera, gl_FragCoord.xy);
    splat_hit hit = drops_intersect(splat_of_fragment(), ray, camera, limit);
    if (!hit.found) discard;
    return hit;
}

// Returns the thickness of fluid, m: the chord, scaled so that the chords of a particle add up to its volume.
float splat_thickness(splat_hit hit, view_ray ray)
{
    return (hit.far - hit.near) * length(ray.direction) * rest.y;
}
#endif
