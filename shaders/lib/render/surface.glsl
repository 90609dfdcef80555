// The fluid's surface from its 1/z. For a plane n . P = c the ray through (x, y) gives
// 1/z = (n . (x, y, 1)) / c, linear on the screen; so the slopes of 1/z are the normal, exactly, wherever the
// surface is flat. Of parallel rays z is linear, and the slopes of 1/z are those of -z over z^2.
#ifndef RENDER_SURFACE_GLSL
#define RENDER_SURFACE_GLSL

// Slope of 1/z along one axis, from its values two and one before and after. One-sided at a break.
float surface_slope(float a2, float a1, float w, float b1, float b2, float range)
{
    bool before = a1 > 0.0 && abs(a1 - w) < range * a1 * w, after = b1 > 0.0 && abs(b1 - w) < range * b1 * w;
    if (before && after) {
        // A break may hide in one of the two: then the bend is large against the flatter side.
        float l = w - a1, r = b1 - w, bend = abs(r - l);
        if (bend > 0.25 * range * w * w) return abs(l) < abs(r) ? l : r;
        return 0.5 * (l + r);
    }
    if (before) return a2 > 0.0 && abs(a2 - a1) < range * a2 * a1 ? 0.5 * (3.0 * w - 4.0 * a1 + a2) : w - a1;
    if (after) return b2 > 0.0 && abs(b2 - b1) < range * b2 * b1 ? 0.5 * (4.0 * b1 - 3.0 * w - b2) : b1 - w;
    return 0.0;
}

// The unit normal in view space, towards the eye. `slope`: per pixel; `size`: of a pixel at depth 1; `ray`: 0
// of parallel rays.
vec3 surface_normal(vec2 slope, vec2 ray, float w, vec2 size)
{
    vec2 n = slope / vec2(size.x, -size.y);
    vec3 normal = normalize(vec3(n, PARALLEL_RAYS ? w * w : w - dot(ray, n)));
    return dot(normal, vec3(ray, 1.0)) > 0.0 ? -normal : normal;
}

// Share of unpolarised light that a smooth boundary reflects; `cosine` of the angle of incidence, `index`
// that of the far side over the near one's.
float surface_fresnel(float cosine, float index)
{
    float s = sqrt(max(1.0 - (1.0 - cosine * cosine) / (index * index), 0.0));
    float across = (cosine - index * s) / (cosine + index * s);
    float along = (index * cosine - s) / (index * cosine + s);
    return 0.5 * (across * across + along * along);
}
#endif
