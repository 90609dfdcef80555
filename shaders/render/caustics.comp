// Computes the factor by which the fluid's surface focuses sunlight on what is below it; one invocation per
// texel. A surface of height h at a distance D above the ground displaces a ray by D (1 - 1/n) grad h, so the
// light on an area changes by the inverse of the determinant of 1 + D (1 - 1/n) grad grad h. Crests are
// lenses. Two fixed-point steps find the point through which a ray that arrives here has come. Depths from
// the sun stand for -h.
#version 460
#include "bindings/render.glsl"
#include "render/camera.glsl"

BLOCK(params);
READ_IMAGE_ANY(smoothed_sun_depth);
READ_IMAGE_ANY(sun_thickness);
WRITE_OWN_IMAGE(target, r32f);

float sun_depth_at(ivec2 p)
{
    bool outside =
        any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, textureSize(smoothed_sun_depth, 0)));
    return outside ? 0.0 : texelFetch(smoothed_sun_depth, p, 0).x;
}

struct surface_curvature {
    float shape; // 0 at an edge of the surface and where it is steep, 1 where it is wide and flat
    vec2 slope;  // relative to a level surface
    vec3 curve;  // second derivatives xx, yy, xy; 1/m
};

// Returns slope and curvature by differences over about one spacing. An edge, or a fold between two sides, is
// rounded by the size of a splat and would act as a lens.
surface_curvature curvature_at(ivec2 p, vec2 texel, vec2 level)
{
    ivec2 s = max(ivec2(round(params.spacing / texel)), ivec2(1)), x = ivec2(s.x, 0), y = ivec2(0, s.y);
    vec2 wide = vec2(s) * texel;
    float middle = sun_depth_at(p);
    float a = sun_depth_at(p - x), b = sun_depth_at(p + x), c = sun_depth_at(p - y), d = sun_depth_at(p + y);
    float e = sun_depth_at(p - x - y), f = sun_depth_at(p + x + y);
    float g = sun_depth_at(p - x + y), h = sun_depth_at(p + x - y);
    vec4 around = vec4(sun_depth_at(p - 4 * x), sun_depth_at(p + 4 * x),
                       sun_depth_at(p - 4 * y), sun_depth_at(p + 4 * y));
    vec4 slopes = 0.25 * (around - middle) / vec4(-wide.x, wide.x, -wide.y, wide.y) - level.xxyy;
    float steepest = max(max(abs(slopes.x), abs(slopes.y)), max(abs(slopes.z), abs(slopes.w)));
    surface_curvature curvature;
    curvature.slope = 0.5 * vec2(b - a, d - c) / wide - level;
    curvature.curve = vec3(a + b - 2.0 * middle, c + d - 2.0 * middle, 0.25 * (e + f - g - h)) /
                 vec3(wide.x * wide.x, wide.y * wide.y, wide.x * wide.y);
    bool whole = min(min(min(a, b), min(c, d)), min(min(e, f), min(g, h))) > 0.0 &&
                 min(min(around.x, around.y), min(around.z, around.w)) > 0.0 && middle > 0.0;
    curvature.shape = whole ? 1.0 - smoothstep(0.3, 0.8, max(steepest, length(curvature.slope))) : 0.0;
    return curvature;
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    render_camera sun = params.cameras[RENDER_CAMERA_SUN];
    vec2 texel = 2.0 * vec2(sun.right.w, sun.up.w) / vec2(size);
    vec2 level = vec2(-sun.right.y, sun.up.y) / min(sun.forward.y, -0.1); // slope of a level surface
    vec2 thick = texelFetch(sun_thickness, RENDER_CAUSTICS_SCALE * p, 0).xy;
    float calm = smoothstep(0.15, 0.4, thick.y / max(thick.x, 1e-12)); // spray has no single surface
    float bent = calm * (1.0 - 1.0 / params.refraction) * thick.x;
    surface_curvature curvature = curvature_at(p, texel, level);
    for (int i = 0; i < 2 && curvature.shape > 0.0; i++) {
        vec2 aside = clamp(bent * curvature.slope / texel, vec2(-40.0), vec2(40.0));
        curvature = curvature_at(p + ivec2(round(aside)), texel, level);
    }
    vec3 c = bent * curvature.shape * curvature.curve;
    float area = abs((1.0 - c.x) * (1.0 - c.y) - c.z * c.z);
    imageStore(target, p, vec4(clamp(1.0 / max(area, 1e-3), 0.4, 3.0)));
}
