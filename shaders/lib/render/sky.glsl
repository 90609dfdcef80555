// Computes light: sky, sun, floor, and the sunlight that reaches a point; declares its own bindings. It does
// not use the texture filtering of the device, so that all devices give the same picture.
#ifndef RENDER_SKY_GLSL
#define RENDER_SKY_GLSL
#include "render/camera.glsl"
#include "render/colours.glsl"

BLOCK(params);
READ_IMAGE_ANY(sun_solid_depth);
READ_IMAGE_ANY(sun_fluid_depth);
READ_IMAGE_ANY(sun_thickness);
READ_IMAGE_ANY(caustics);
READ_IMAGE_ANY(environment);

vec4 sky_bilinear(texture2D image, vec2 pixel)
{
    ivec2 size = textureSize(image, 0);
    vec2 p = pixel - 0.5, f = fract(p);
    ivec2 low = ivec2(floor(p)), a = clamp(low, ivec2(0), size - 1), b = clamp(low + 1, ivec2(0), size - 1);
    return mix(mix(texelFetch(image, a, 0), texelFetch(image, ivec2(b.x, a.y), 0), f.x),
               mix(texelFetch(image, ivec2(a.x, b.y), 0), texelFetch(image, b, 0), f.x), f.y);
}

float sky_random(ivec2 p)
{
    uint h = uint(p.x) * 1597334677u ^ uint(p.y) * 3812015801u;
    h = (h ^ h >> 15) * 2246822519u;
    return float((h ^ h >> 13) & 0xffffu) / 65535.0;
}

float sky_noise(vec2 p)
{
    ivec2 i = ivec2(floor(p));
    vec2 f = fract(p), t = f * f * (3.0 - 2.0 * f);
    return mix(mix(sky_random(i), sky_random(i + ivec2(1, 0)), t.x),
               mix(sky_random(i + ivec2(0, 1)), sky_random(i + ivec2(1, 1)), t.x), t.y);
}

// Returns the density of thin cloud on a plane overhead, 0 to 1. With it, a calm surface reflects more than
// one colour.
float sky_cloud(vec3 d)
{
    vec2 p = 1.4 * d.xz / (max(d.y, 0.0) + 0.12);
    float sum = 0.0, share = 0.5;
    for (int i = 0; i < 4; i++, share *= 0.5) {
        sum += share * sky_noise(p);
        p = mat2(1.6, 1.2, -1.2, 1.6) * p + 7.0;
    }
    return smoothstep(0.42, 0.78, sum) * smoothstep(0.0, 0.2, d.y);
}

// Returns the radiance from a direction that does not hit the floor. An environment image contains all
// directions: longitude along x, the zenith at its top.
vec3 sky_radiance(vec3 d)
{
    if (ENVIRONMENT_IMAGE) {
        vec2 at = vec2(0.5 + atan(d.z, d.x) / 6.28318531, acos(clamp(d.y, -1.0, 1.0)) / 3.14159265);
        return sky_bilinear(environment, at * vec2(textureSize(environment, 0))).xyz;
    }
    float up = max(d.y, 0.0);
    float share = pow(up, 0.55) * smoothstep(0.0, 0.12, up); // no visible line where the floor has faded out
    vec3 c = mix(params.sky_horizon.xyz, params.sky_zenith.xyz, share);
    float near_sun = max(dot(d, params.sun_direction.xyz), 0.0);
    float disc = smoothstep(params.sun_direction.w - 0.0006, params.sun_direction.w + 0.0002, near_sun);
    float glare = 6.0 * pow(near_sun, 900.0) + 1.5 * pow(near_sun, 160.0) + 0.12 * pow(near_sun, 24.0);
    if (params.sky_horizon.w > 0.0)
        c = mix(c, 1.15 * params.sky_horizon.xyz, params.sky_horizon.w * sky_cloud(d));
    return c + params.sun_colour.xyz * (60.0 * disc + glare);
}

// Returns the fraction of sunlight that solids let through to a point with the normal `n`: nine taps with the
// weights of a tent filter. A tap is up to 2.1 texels away, where an inclined surface is nearer to the sun by
// that distance times the tangent of the inclination. The point is offset along its normal by more than that,
// which prevents striped self-shadowing.
float sky_sun_visibility(vec3 world, vec3 n)
{
    render_camera sun = params.cameras[RENDER_CAMERA_SUN];
    float texel = 2.0 * max(sun.right.w * sun.frame.z, sun.up.w * sun.frame.w);
    float steep = dot(n, sun.forward.xyz);
    vec3 lifted = camera_world_to_view(sun, world + 2.5 * texel * sqrt(max(1.0 - steep * steep, 0.0)) * n);
    vec2 pixel = camera_project(sun, lifted);
    ivec2 last = textureSize(sun_solid_depth, 0) - 1, middle = ivec2(floor(pixel));
    float lit = 0.0, sum = 0.0;
    for (int i = 0; i < 9; i++) {
        ivec2 p = middle + ivec2(i % 3 - 1, i / 3 - 1);
        vec2 apart = abs(vec2(p) + 0.5 - pixel);
        float weight = max(1.5 - apart.x, 0.0) * max(1.5 - apart.y, 0.0);
        float other = camera_decode_depth(sun, texelFetch(sun_solid_depth, clamp(p, ivec2(0), last), 0).x);
        lit += lifted.z < other + texel ? weight : 0.0;
        sum += weight;
    }
    return lit / sum;
}

// Returns the sunlight at a point of a surface with the normal `n`, absorbed by the fluid above it.
vec3 sky_sunlight(vec3 world, vec3 n)
{
    vec3 absorption = params.fluids[0].absorption.xyz;
    if (params.sun_direction.y <= 0.0) return vec3(0.0);
    if (!SHADOWS) return params.sun_colour.xyz;
    render_camera sun = params.cameras[RENDER_CAMERA_SUN];
    vec3 p = camera_world_to_view(sun, world);
    vec2 pixel = camera_project(sun, p), size = sun.frame.xy;
    if (any(lessThan(pixel, vec2(0.0))) || any(greaterThan(pixel, size))) return params.sun_colour.xyz;
    float lit = SOLID_SHADOWS ? sky_sun_visibility(world, n) : 1.0;
    float first = sky_bilinear(sun_fluid_depth, pixel).x, metres = sky_bilinear(sun_thickness, pixel).x;
    float below = first > 0.0 ? clamp((p.z - 1.0 / first) / max(metres, 1e-6), 0.0, 1.0) : 1.0;
    float through = 0.95; // transmission of the surface
    if (first > 0.0)
        through *= mix(1.0, sky_bilinear(caustics, pixel / float(RENDER_CAUSTICS_SCALE)).x, below);
    float covered = first > 0.0 ? smoothstep(0.0, 0.5 * params.spacing, metres) * min(1.0, 4.0 * below) : 0.0;
    return params.sun_colour.xyz * lit * mix(vec3(1.0), through * exp(-absorption * metres * below), covered);
}

vec3 sky_ambient(vec3 n)
{
    return mix(0.6 * params.floor_light.xyz * params.sky_horizon.xyz,
               mix(params.sky_horizon.xyz, params.sky_zenith.xyz, 0.5), 0.5 + 0.5 * n.y);
}

vec3 sky_shade_diffuse(vec3 albedo, vec3 n, vec3 world)
{
    float slope = max(dot(n, params.sun_direction.xyz), 0.0);
    vec3 sun = slope > 0.0 ? slope * sky_sunlight(world + 1e-3 * params.spacing * n, n) : vec3(0.0);
    return albedo * (sky_ambient(n) + sun);
}

// Returns the mean of the signed tile pattern, with tiles of length 1, in a box of `width` around x.
float sky_tile_coverage(float x, float width)
{
    vec2 ends = vec2(x - 0.5 * width, x + 0.5 * width);
    vec2 sum = abs(fract(ends * 0.5) - 0.5) * -2.0 + 1.0; // integral of the signed square wave
    return (sum.y - sum.x) / width;
}

bool sky_intersect_floor(vec3 origin, vec3 d, out float t)
{
    t = (params.floor_light.w - origin.y) / d.y;
    return params.floor_dark.w > 0.0 && d.y < -1e-5 && t > 0.0;
}

// Returns the radiance of the floor or the sky along a ray. `pixel`: width of a pixel per metre of distance.
vec3 sky_background(vec3 origin, vec3 d, float pixel)
{
    float t;
    if (!sky_intersect_floor(origin, d, t)) return sky_radiance(d);
    vec3 p = origin + t * d;
    vec2 tile = p.xz / params.floor_dark.w;
    float width = max(pixel * t / params.floor_dark.w, 1e-4);
    vec2 wide = vec2(width) / max(abs(d.y), 1e-3);
    float dark = 0.5 - 0.5 * sky_tile_coverage(tile.x, min(wide.x, 60.0)) *
                           sky_tile_coverage(tile.y, min(wide.y, 60.0));
    vec3 albedo = mix(params.floor_light.xyz, params.floor_dark.xyz, dark);
    vec3 lit = sky_shade_diffuse(albedo, vec3(0.0, 1.0, 0.0), p);
    float far = length(p.xz - params.floor_fade.yz) * params.floor_fade.x;
    return mix(lit, sky_radiance(normalize(vec3(d.x, 0.0, d.z))), 1.0 - exp(-far * far));
}
#endif
