// Computes light: the sun and the floor, and the light that reaches a point; declares its own bindings. It
// does not use the texture filtering of the device, so that all devices give the same picture.
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

#include "render/sky_dome.glsl"

// Returns the fraction of a point with the normal `n` to which no solid farther from the sun than `from`, m,
// hides the sun: nine taps with the weights of a tent filter. A tap is up to 2.1 texels away, where an
// inclined surface is nearer to the sun by that distance times the tangent of the inclination. The point is
// offset along its normal by more than that, which prevents striped self-shadowing.
float sky_sun_visibility(vec3 world, vec3 n, float from)
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
        lit += lifted.z < other + texel || other < from ? weight : 0.0;
        sum += weight;
    }
    return lit / sum;
}

// The fluid between a point and the sun.
struct sky_fluid {
    vec2 pixel;   // of the sun's images
    float metres; // of fluid along the sun's ray
    float below;  // fraction of them that is above the point
    float gap;    // m: from the far side of the fluid to the point; below 0: the point is in the fluid
    bool seen;    // the sun's images show this point
    bool covered; // fluid is on the ray
};

sky_fluid sky_fluid_above(vec3 world)
{
    sky_fluid above = sky_fluid(vec2(0.0), 0.0, 1.0, 0.0, false, false);
    if (!SHADOWS || params.sun_direction.y <= 0.0) return above;
    render_camera sun = params.cameras[RENDER_CAMERA_SUN];
    vec3 p = camera_world_to_view(sun, world);
    above.pixel = camera_project(sun, p);
    vec2 inside = min(above.pixel, sun.frame.xy - above.pixel);
    above.seen = min(inside.x, inside.y) >= 0.0;
    if (!above.seen) return above;
    float first = sky_bilinear(sun_fluid_depth, above.pixel).x;
    above.metres = sky_bilinear(sun_thickness, above.pixel).x;
    above.covered = first > 0.0;
    if (above.covered) {
        above.gap = p.z - 1.0 / first - above.metres;
        above.below = clamp(1.0 + above.gap / max(above.metres, 1e-6), 0.0, 1.0);
    }
    return above;
}

// Returns the sunlight at a point of a surface with the normal `n`, absorbed by the fluid above it. Where air
// lies between the fluid and the point, half of the absorption counts: the shadow that water casts beside
// itself would else be as blue as the water.
vec3 sky_sunlight(vec3 world, vec3 n, sky_fluid above)
{
    if (params.sun_direction.y <= 0.0) return vec3(0.0);
    if (!above.seen) return params.sun_colour.xyz;
    vec3 light = params.sun_colour.xyz * (SOLID_SHADOWS ? sky_sun_visibility(world, n, 0.0) : 1.0);
    if (!above.covered) return light;
    float through = 0.95; // transmission of the surface
    vec2 texel = above.pixel / float(RENDER_CAUSTICS_SCALE);
    through *= mix(1.0, sky_bilinear(caustics, texel).x, above.below);
    float depth = above.metres * above.below * (1.0 - 0.5 * smoothstep(1.0, 4.0, above.gap / params.spacing));
    vec3 passed = through * exp(-depth * params.fluids[0].absorption.xyz);
    float share = smoothstep(0.0, 0.5 * params.spacing, above.metres) * min(1.0, 4.0 * above.below);
    return light * mix(vec3(1.0), passed, share);
}

// Returns the depth at which the fluid above a point begins, m: the least of the four texels around it, since
// a mean with a texel without fluid would lie behind the fluid.
float sky_fluid_start(sky_fluid above)
{
    float nearest = 0.0; // 1/m
    ivec2 last = textureSize(sun_fluid_depth, 0) - 1, first = ivec2(floor(above.pixel - 0.5));
    for (int i = 0; i < 4; i++)
        nearest = max(nearest,
                      texelFetch(sun_fluid_depth, clamp(first + ivec2(i & 1, i >> 1), ivec2(0), last), 0).x);
    return 1.0 / nearest;
}

// Returns the fraction of the ambient light that reaches a point with the normal `n` through the fluid above
// it. Without it, water would not darken the light floor on which it stands. It does not darken what is in
// the shade of a solid behind it.
vec3 sky_ambient_passed(vec3 world, vec3 n, sky_fluid above)
{
    if (!above.covered) return vec3(1.0);
    float clear = SOLID_SHADOWS ? sky_sun_visibility(world, n, sky_fluid_start(above) + above.metres) : 1.0;
    vec3 passed = 0.85 * exp(-0.8 * params.fluids[0].absorption.xyz * above.metres);
    float share = clear * above.below * smoothstep(0.0, 2.0 * params.spacing, above.metres);
    return mix(vec3(1.0), passed, share);
}

// Returns the light of the surroundings on a surface with the normal `n`. The dark sky of a studio would
// leave solids too dark, so a studio has an ambient light of its own.
vec3 sky_ambient(vec3 n)
{
    float up = 0.5 + 0.5 * n.y;
    if (params.sky_zenith.w > 0.0)
        return params.sky_zenith.w * mix(0.55 * params.floor_light.xyz, vec3(0.94, 0.98, 1.05), up);
    return mix(0.6 * params.floor_light.xyz * params.sky_horizon.xyz,
               mix(params.sky_horizon.xyz, params.sky_zenith.xyz, 0.5), up);
}

vec3 sky_shade_diffuse(vec3 albedo, vec3 n, vec3 world)
{
    float slope = max(dot(n, params.sun_direction.xyz), 0.0);
    sky_fluid above = sky_fluid_above(world);
    vec3 sun = slope > 0.0 ? slope * sky_sunlight(world + 1e-3 * params.spacing * n, n, above) : vec3(0.0);
    return albedo * (sky_ambient(n) * sky_ambient_passed(world, n, above) + sun);
}

bool sky_intersect_floor(vec3 origin, vec3 d, out float t)
{
    t = (params.floor_light.w - origin.y) / d.y;
    return params.floor_dark.w > 0.0 && d.y < -1e-5 && t > 0.0;
}

// Returns the mean of the lines between tiles of length 1 in a box of `width` around x.
float sky_line_coverage(float x, float width)
{
    const float half_width = 0.012; // of a line
    vec2 ends = vec2(x - 0.5 * width, x + 0.5 * width), nearest = floor(ends + 0.5);
    vec2 sum = 2.0 * half_width * nearest + clamp(ends - nearest, -half_width, half_width);
    return (sum.y - sum.x) / width;
}

// Returns the radiance of the floor at distance t: tiles with thin lines between them, in a pool of light
// that fades into the horizon. `above`: the sky that it mirrors. `pixel`: width of a pixel per metre of
// distance.
vec3 sky_floor(vec3 origin, vec3 d, float t, float pixel, vec3 above)
{
    vec3 p = origin + t * d;
    float far = length(p.xz - params.floor_fade.yz) * params.floor_fade.x;
    vec2 tile = p.xz / params.floor_dark.w;
    float width = min(max(pixel * t / params.floor_dark.w, 1e-4) / max(abs(d.y), 1e-3), 60.0);
    float plain = (1.0 - sky_line_coverage(tile.x, width)) * (1.0 - sky_line_coverage(tile.y, width));
    float line = params.floor_fade.w * (1.0 - plain) * (1.0 - smoothstep(0.15, 0.7, far));
    vec3 albedo = mix(params.floor_light.xyz, params.floor_dark.xyz, line);
    vec3 lit = sky_shade_diffuse(albedo, vec3(0.0, 1.0, 0.0), p);
    float grazing = 1.0 - abs(d.y), grazing2 = grazing * grazing;
    float mirrored = params.lamp_fill.w * (0.03 + 0.5 * grazing2 * grazing2 * grazing);
    return mix(mix(lit, above, mirrored), sky_horizon(d), smoothstep(0.06, 0.55, far));
}

// Returns the radiance of the floor or the sky along a ray, as the camera sees it: without lamps.
vec3 sky_background(vec3 origin, vec3 d, float pixel)
{
    float t;
    bool floor_first = sky_intersect_floor(origin, d, t);
    vec3 above = sky_backdrop(floor_first ? vec3(d.x, -d.y, d.z) : d);
    return floor_first ? sky_floor(origin, d, t, pixel, above) : above;
}

// Returns the same as surfaces reflect and refract it: the sky has the studio's lamps.
vec3 sky_surroundings(vec3 origin, vec3 d, float pixel)
{
    float t;
    vec3 seen = sky_background(origin, d, pixel);
    if (STUDIO && !sky_intersect_floor(origin, d, t)) seen += sky_lamps(d);
    return seen;
}
#endif
