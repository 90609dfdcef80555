// Computes normals of the fluid's surface from its 1/z. For a plane n . P = c the ray through (x, y) gives
// 1/z = (n . (x, y, 1)) / c, which is linear on the screen; so the slopes of 1/z give the exact normal
// wherever the surface is flat. With parallel rays z is linear, and the slopes of 1/z are those of -z over
// z^2.
#ifndef RENDER_SURFACE_GLSL
#define RENDER_SURFACE_GLSL

// Returns the slope of 1/z along one axis, from the two values before (a2, a1) and after (b1, b2) the value
// w. One-sided at a discontinuity.
float surface_slope(float a2, float a1, float w, float b1, float b2, float range)
{
    bool before = a1 > 0.0 && abs(a1 - w) < range * a1 * w, after = b1 > 0.0 && abs(b1 - w) < range * b1 * w;
    if (before && after) {
        // One of the two may contain a small discontinuity: if the bend is large, take the flatter side.
        float l = w - a1, r = b1 - w, bend = abs(r - l);
        if (bend > 0.25 * range * w * w) return abs(l) < abs(r) ? l : r;
        return 0.5 * (l + r);
    }
    if (before) return a2 > 0.0 && abs(a2 - a1) < range * a2 * a1 ? 0.5 * (3.0 * w - 4.0 * a1 + a2) : w - a1;
    if (after) return b2 > 0.0 && abs(b2 - b1) < range * b2 * b1 ? 0.5 * (4.0 * b1 - 3.0 * w - b2) : b1 - w;
    return 0.0;
}

// Returns the unit normal in view space, towards the eye. `slope`: per pixel; `size`: of a pixel at depth 1;
// `ray`: 0 with parallel rays.
vec3 surface_normal(vec2 slope, vec2 ray, float w, vec2 size)
{
    vec2 n = slope / vec2(size.x, -size.y);
    vec3 normal = normalize(vec3(n, PARALLEL_RAYS ? w * w : w - dot(ray, n)));
    return dot(normal, vec3(ray, 1.0)) > 0.0 ? -normal : normal;
}

// Returns the fraction of unpolarised light that a smooth interface reflects (Fresnel). `cosine`: of the
// angle of incidence; `index`: refractive index of the far side over that of the near side.
float surface_fresnel(float cosine, float index)
{
    float s = sqrt(max(1.0 - (1.0 - cosine * cosine) / (index * index), 0.0));
    float across = (cosine - index * s) / (cosine + index * s);
    float along = (index * cosine - s) / (index * cosine + s);
    return 0.5 * (across * across + along * along);
}
#endif
