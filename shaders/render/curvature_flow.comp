// Performs one step of curvature flow on 1/z (van der Laan, Green and Sainz 2009, equations 3 to 8); one
// invocation per pixel. z moves by the surface's mean curvature, which the formula gives in pixels. The step
// is as long as stability allows.
#version 460
#include "bindings/render.glsl"

BLOCK(params);
READ_IMAGE_ANY(fluid);
READ_IMAGE_ANY(thickness);
WRITE_ANY_IMAGE(target, r32f);

// Returns the depth at p. Beyond a discontinuity, or outside, it is the centre's own, so the slope is 0.
float depth_at(ivec2 p, ivec2 size, float z)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size));
    float w = outside ? 0.0 : texelFetch(fluid, p, 0).x, other = w > 0.0 ? 1.0 / w : z;
    return abs(other - z) < params.filter_range_m ? other : z;
}

void main()
{
    ivec2 size = textureSize(fluid, 0), p = pixel_from_index(invocation_index(), size);
    if (pixel_outside(p, size)) return;
    float w = texelFetch(fluid, p, 0).x;
    if (w > 0.0) {
        render_camera camera = params.cameras[RENDER_CAMERA_EYE];
        vec2 c = 2.0 * vec2(camera.right.w, camera.up.w) * camera.frame.zw; // size of a pixel at depth 1
        float z = 1.0 / w;
        float l = depth_at(p - ivec2(1, 0), size, z), r = depth_at(p + ivec2(1, 0), size, z);
        float u = depth_at(p - ivec2(0, 1), size, z), d = depth_at(p + ivec2(0, 1), size, z);
        float corners = depth_at(p + ivec2(1), size, z) + depth_at(p - ivec2(1), size, z) -
                        depth_at(p + ivec2(1, -1), size, z) - depth_at(p + ivec2(-1, 1), size, z);
        vec2 first = 0.5 * vec2(r - l, d - u), second = vec2(l + r, u + d) - 2.0 * z;
        float mixed = 0.25 * corners;
        vec2 c2 = c * c;
        float area = c2.y * first.x * first.x + c2.x * first.y * first.y + c2.x * c2.y * z * z;
        float dx = 2.0 * (c2.y * first.x * second.x + c2.x * first.y * mixed + c2.x * c2.y * z * first.x);
        float dy = 2.0 * (c2.y * first.x * mixed + c2.x * first.y * second.y + c2.x * c2.y * z * first.y);
        float ex = 0.5 * first.x * dx - second.x * area, ey = 0.5 * first.y * dy - second.y * area;
        float curvature = 0.5 * (c.y * ex + c.x * ey) / (area * sqrt(area));
        vec2 t = texelFetch(thickness, p, 0).xy;
        float calm = smoothstep(0.15, 0.4, t.y / max(t.x, 1e-12)), pixel = c.y * z;
        float step = 0.4 * pixel * curvature;
        w = 1.0 / (z - calm * clamp(step, -0.5 * pixel, 0.5 * pixel));
    }
    imageStore(target, p, vec4(w));
}
