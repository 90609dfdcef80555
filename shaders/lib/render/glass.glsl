// Draws the tank: sides of the domain as panes of thin glass with visible edges.
// Buffers: those of render/sky.glsl.
#ifndef RENDER_GLASS_GLSL
#define RENDER_GLASS_GLSL
#include "render/sky.glsl"
#include "render/surface.glsl"

// Factor of the panes' reflectance: in full they are pale slabs that hide the fluid.
const float REFLECTION = 0.35;

struct glass_ray {
    float enter, leave; // ray parameters at which it enters and leaves the tank's box
    int first, last;    // axes of the sides that it intersects there
};

int glass_hit_axis(vec3 v, float longest)
{
    return v.x == longest ? 0 : v.y == longest ? 1 : 2;
}

glass_ray glass_intersect(vec3 origin, vec3 d)
{
    vec3 over = 1.0 / mix(d, vec3(1e-9), lessThan(abs(d), vec3(1e-9)));
    vec3 a = (params.tank_low.xyz - origin) * over, b = (params.tank_high.xyz - origin) * over;
    vec3 near = min(a, b), far = max(a, b);
    float enter = max(max(near.x, near.y), near.z), leave = min(min(far.x, far.y), far.z);
    return glass_ray(enter, leave, glass_hit_axis(near, enter), glass_hit_axis(far, leave));
}

// Returns whether the lower or upper side across `axis` is glass.
bool glass_side_is_glass(int axis, bool upper)
{
    return axis != 1 && (uint(params.tank_high.w) >> (axis + int(upper)) & 1u) != 0u;
}

// Returns the radiance behind the pane across `axis` at t, `light`, as seen through the pane, with
// reflections. `pixel`: width of a pixel per metre of distance.
vec3 glass_blend_pane(vec3 origin, vec3 d, float t, int axis, float pixel, vec3 light)
{
    vec3 p = origin + t * d, mirrored = normalize(d);
    float one = surface_fresnel(abs(mirrored[axis]), 1.5), both = 2.0 * one / (1.0 + one);
    mirrored[axis] = -mirrored[axis];
    float up = pow(max(mirrored.y, 0.0), 0.55);
    vec3 sky = ENVIRONMENT_IMAGE ? sky_image(mirrored)
                                 : mix(params.sky_horizon.xyz, params.sky_zenith.xyz, up);
    vec3 below = p - params.tank_low.xyz, above = params.tank_high.xyz - p;
    int along = 2 - axis;
    float rim = min(min(below[along], above[along]), min(below.y, above.y)),
          blur = max(0.7 * pixel * t * length(d), 1e-6);
    float edge = 1.0 - smoothstep(-blur, blur, rim - params.tank_low.w);
    vec3 seen = mix(vec3(0.975, 0.99, 0.985) * light, sky, REFLECTION * both);
    return mix(seen, vec3(0.5, 0.72, 0.68) * sky_ambient(vec3(0.0, 1.0, 0.0)), 0.55 * edge);
}

// Blends the far pane over `light`, which comes from `depth`; light from in front of the pane is unchanged.
vec3 glass_far_pane(vec3 origin, vec3 d, float depth, float pixel, vec3 light)
{
    glass_ray ray = glass_intersect(origin, d);
    bool met = ray.enter < ray.leave && ray.leave > 0.0 && ray.leave < depth;
    if (!met || !glass_side_is_glass(ray.last, d[ray.last] > 0.0)) return light;
    return glass_blend_pane(origin, d, ray.leave, ray.last, pixel, light);
}

// Blends the near pane over `light`, which comes from `depth`; light from in front of the pane is unchanged.
vec3 glass_near_pane(vec3 origin, vec3 d, float depth, float pixel, vec3 light)
{
    glass_ray ray = glass_intersect(origin, d);
    bool met = ray.enter < ray.leave && ray.enter > 0.0 && ray.enter < depth;
    if (!met || !glass_side_is_glass(ray.first, d[ray.first] < 0.0)) return light;
    return glass_blend_pane(origin, d, ray.enter, ray.first, pixel, light);
}

// Returns the normal of fluid at p: `n`, replaced by that of the near pane where the fluid touches the pane.
vec3 glass_contact_normal(vec3 origin, vec3 d, vec3 p, vec3 n)
{
    glass_ray ray = glass_intersect(origin, d);
    if (!(ray.enter < ray.leave) || !glass_side_is_glass(ray.first, d[ray.first] < 0.0)) return n;
    vec3 pane = vec3(0.0);
    pane[ray.first] = -sign(d[ray.first]);
    float gap = dot(origin + ray.enter * d - p, pane) / params.spacing;
    float flat_share = (1.0 - smoothstep(0.5, 1.5, gap)) * smoothstep(0.2, 0.7, dot(n, pane));
    return normalize(mix(n, pane, flat_share));
}
#endif
