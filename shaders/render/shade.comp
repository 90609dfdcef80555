// The picture: what the fluid's surface reflects, and what is seen through it - refracted, absorbed over the
// metres of fluid (Beer), with some light scattered inside.
// Reads the fluid's 1/z, thickness, background and shadows; writes colour, alpha 1 where something is.
#version 460
#extension GL_EXT_samplerless_texture_functions : require
#include "pixels.glsl"
#include "sky_in.glsl"
#include "surface.glsl"

layout(constant_id = 1) const uint FROM_MESH = 0u; // normals come from a mesh
layout(constant_id = 2) const uint MIXED = 0u;     // several fluids: optical depth per pixel

layout(binding = RENDER_BIND_FLUID) uniform texture2D fluid;
layout(binding = RENDER_BIND_THICKNESS) uniform texture2D thickness;
layout(binding = RENDER_BIND_MIXED) uniform texture2D mixed;
layout(binding = RENDER_BIND_SURFACE_NORMAL) uniform texture2D surface_normals;
layout(binding = RENDER_BIND_SOLID_DEPTH) uniform texture2D solid_depth;
layout(binding = RENDER_BIND_BACKGROUND) uniform texture2D background;
layout(binding = RENDER_BIND_TARGET, rgba16f) writeonly uniform image2D target;

float at(ivec2 p, ivec2 size)
{
    bool outside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, size));
    return outside ? 0.0 : texelFetch(fluid, p, 0).x;
}

vec3 normal_at(ivec2 p, ivec2 size, render_camera camera, vec2 ray, float w)
{
    if (FROM_MESH != 0u) {
        vec3 n = camera_turn(camera, texelFetch(surface_normals, p, 0).xyz);
        return normalize(dot(n, vec3(ray, 1.0)) > 0.0 ? -n : n);
    }
    vec2 slope;
    float range = params.filter_range;
    slope.x = surface_slope(at(p - ivec2(2, 0), size), at(p - ivec2(1, 0), size), w, at(p + ivec2(1, 0), size),
                            at(p + ivec2(2, 0), size), range);
    slope.y = surface_slope(at(p - ivec2(0, 2), size), at(p - ivec2(0, 1), size), w, at(p + ivec2(0, 1), size),
                            at(p + ivec2(0, 2), size), range);
    return surface_normal(slope, ray, w, 2.0 * vec2(camera.right.w, camera.up.w) * camera.frame.zw);
}

struct seen_light {
    vec3 light;
    vec4 optical; // depth: red, green, blue, scattering
};

vec4 optical_at(ivec2 p, float metres)
{
    return MIXED != 0u ? texelFetch(mixed, p, 0) : metres * params.fluids[0].absorption;
}

// The scene through the fluid. The refracted ray leaves where its way in the fluid ends; what the eye sees
// there stands in the background image, unless that pixel shows something in front of the fluid or lies
// outside: then the surroundings serve.
seen_light through(ivec2 p, ivec2 size, render_camera camera, vec3 point, vec3 inside, float metres)
{
    seen_light seen;
    float pixel = 2.0 * camera.up.w * camera.frame.w;
    seen.optical = optical_at(p, metres);
    vec3 leave = point + inside * metres;
    vec2 place = camera_pixel(camera, leave);
    bool within = leave.z > camera.eye.w && all(greaterThan(place, vec2(0.0))) && all(lessThan(place, vec2(size)));
    ivec2 q = within ? ivec2(place) : p;
    float behind = camera_depth(camera, texelFetch(solid_depth, q, 0).x);
    if (within && behind > point.z) {
        float there = texelFetch(thickness, q, 0).x;
        if (there > metres) seen.optical = optical_at(q, there);
        seen.light = sky_bilinear(background, place).xyz;
    } else {
        seen.light = sky_environment(camera_world(camera, leave), camera_back(camera, inside), pixel, params.fluids[0].absorption.xyz);
    }
    return seen;
}

// The fluid's own colour: what is left of white light when half of its brightest part is gone.
vec3 passed_tint(vec4 optical)
{
    float least = min(optical.x, min(optical.y, optical.z));
    return exp(-(optical.xyz - least) / max(0.35 * (optical.x + optical.y + optical.z), 1e-6));
}

vec3 fluid_colour(ivec2 p, ivec2 size, float w)
{
    render_camera camera = params.cameras[RENDER_EYE];
    vec3 way = camera_ray(camera, vec2(p) + 0.5).way, point = way / w, view = normalize(way);
    vec3 n = normal_at(p, size, camera, way.xy, w);
    float metres = texelFetch(thickness, p, 0).x, cosine = clamp(-dot(n, view), 0.0, 1.0);
    float reflected = surface_fresnel(cosine, params.refraction), pixel = 2.0 * camera.up.w * camera.frame.w;
    vec3 inside = refract(view, n, 1.0 / params.refraction), bounced = reflect(view, n);
    vec3 world = camera_world(camera, point);
    seen_light seen = through(p, size, camera, point, inside, metres);
    vec3 passed = exp(-seen.optical.xyz);
    // Light scattered once comes back through half of the fluid, coloured by it.
    float scattered = 1.0 - exp(-seen.optical.w);
    vec3 down = sky_ambient(vec3(0.0, 1.0, 0.0)) + 0.3 * sky_sunlight(world, params.fluids[0].absorption.xyz);
    vec3 glow = 0.35 * scattered * exp(-0.5 * seen.optical.xyz) * passed_tint(seen.optical) * down;
    vec3 mirror = sky_environment(world, camera_back(camera, bounced), 4.0 * pixel, params.fluids[0].absorption.xyz);
    return mix((1.0 - scattered) * passed * seen.light + glow, mirror, reflected);
}

void main()
{
    ivec2 size = imageSize(target), p = pixel_of(row_index(), size);
    if (pixel_outside(p, size)) return;
    float w = texelFetch(fluid, p, 0).x;
    vec4 c = texelFetch(background, p, 0);
    if (w > 0.0) c = vec4(fluid_colour(p, size, w), 1.0);
    imageStore(target, p, c);
}
