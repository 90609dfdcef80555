// Intersects rays with ellipsoids. In the space where the ellipsoid is the unit sphere, with o and D the
// ray's origin and direction, |D|^2 - |o x D|^2 is the discriminant without cancellation. The ray starts at
// the depth of the centre, so that o is short however far away the eye is.
#ifndef RENDER_SPLAT_GLSL
#define RENDER_SPLAT_GLSL
#include "render/camera.glsl"

struct splat_hit {
    bool found;
    float near, far; // depths
    vec3 entry;      // point on the unit sphere where the ray enters
};

mat3 splat_inverse_matrix(render_splat s)
{
    return mat3(s.low.x, s.low.y, s.low.z, s.low.y, s.low.w, s.high.x, s.low.z, s.high.x, s.high.y);
}

// Intersects a ray with an ellipsoid, which is clipped at the depths `nearest` and `limit`.
splat_hit splat_intersect(render_splat s, view_ray ray, float nearest, float limit)
{
    vec3 centre = vec3(s.high.zw, s.rest.x);
    mat3 b = splat_inverse_matrix(s);
    vec3 o = b * (ray.origin + ray.direction * centre.z - centre), d = b * ray.direction;
    vec3 side = cross(o, d);
    float dd = dot(d, d), disc = dd - dot(side, side), od = dot(o, d), root = sqrt(max(disc, 0.0));
    float first = (-od - root) / dd;
    splat_hit hit;
    hit.far = centre.z + (root - od) / dd;
    hit.near = centre.z + first;
    hit.found = disc > 0.0 && hit.far > nearest && hit.near < limit;
    hit.entry = o + first * d;
    hit.near = max(hit.near, nearest);
    hit.far = min(hit.far, limit);
    return hit;
}

// A particle without neighbours is spray. It is drawn as several drops with its total volume, of the size
// that drops have in air: balls in the space where the splat's ellipsoid is the unit ball. The ellipsoid is
// elongated along the particle's motion, and so are the drops. Where the drops would still be too large, each
// is itself a cloud of drops.
// Buffers: params.

const float DROPS_CLOUD_RADIUS = 1.9; // radius of a cloud over that of the drop that it replaces

// Returns how far the drops are apart, 0 to 1: 0 in a sheet and in bulk, where there is a single ball.
float drops_spread(float share) { return 1.0 - smoothstep(0.08, 0.24, share); }

uint drops_hash(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// Returns xyz the position and w the radius of drop `k` in a unit ball. `mean`: radius of a drop of mean
// volume. Most drops are small: 0.499 is the mean cube of their sizes, which are 0.35 to 1.5. `wide`: extent
// of a drop, in its radii.
vec4 drop_position(uint seed, uint k, float apart, float mean, float wide)
{
    uint h = drops_hash(seed + k * 0x9e3779b9u);
    vec3 u = vec3(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u) / 511.5 - 1.0; // in a cube
    float f = fract(5.3 * (u.x + u.y + u.z)), radius = mix(1.0, mean * (0.35 + 1.15 * f * f * f), apart);
    float in_ball = max(max(abs(u.x), abs(u.y)), abs(u.z)) / max(length(u), 1e-3);
    return vec4(apart * max(1.0 - wide * radius, 0.0) * in_ball * u, radius);
}

// A ray in the space where the splat's ellipsoid is the unit ball, with its range of depths.
struct drops_ray {
    vec3 from, along;
    float z, nearest, limit; // depth of `from`
};

// Intersects a ray with a ball (xyz centre, w radius): the depths at which it enters and leaves.
bool drop_intersect_ball(drops_ray ray, vec4 ball, out float near, out float far)
{
    vec3 from = ray.from - ball.xyz, side = cross(from, ray.along);
    float dd = dot(ray.along, ray.along), disc = ball.w * ball.w * dd - dot(side, side);
    float root = sqrt(max(disc, 0.0)), middle = dot(from, ray.along);
    near = max(ray.z - (middle + root) / dd, ray.nearest);
    far = min(ray.z - (middle - root) / dd, ray.limit);
    return disc > 0.0 && far > near;
}

// Returns how far drops are divided further, 0 to 1; only drops several pixels wide are. 0: their radius is
// at most 1.5 pixels; 1: at least 3 pixels.
float drops_subdivision(render_splat s, render_camera camera)
{
    float mean = params.spacing * pow(0.2387 / params.drops.x, 1.0 / 3.0);
    float z = camera.forward.w != 0.0 ? 1.0 : s.rest.x;
    return smoothstep(1.5, 3.0, mean / (2.0 * camera.up.w * camera.frame.w * z));
}

// Intersects a ray with a drop that is too large for air, drawn as a cloud of small drops, `wide` times as
// large. Returns the sum of their chords, scaled to conserve the drop's volume. `first` becomes the smallest
// depth of all.
float drops_intersect_cloud(drops_ray ray, vec4 drop, uint seed, float apart, float wide, inout float first)
{
    float near, far, volume = 0.0, chords = 0.0, reach = wide * drop.w;
    if (!drop_intersect_ball(ray, vec4(drop.xyz, reach), near, far)) return 0.0;
    float mean = pow(0.499 * params.drops.w, -1.0 / 3.0) / wide;
    uint pieces = uint(params.drops.w); // before the loop: GPU-assisted validation cannot split its header
    for (uint k = 0u; k < pieces; k++) {
        vec4 small = reach * drop_position(seed, k, apart, mean, 1.0);
        volume += small.w * small.w * small.w;
        if (!drop_intersect_ball(ray, vec4(drop.xyz + small.xyz, small.w), near, far)) continue;
        first = min(first, near);
        chords += far - near;
    }
    return chords * drop.w * drop.w * drop.w / volume;
}

// Returns the weight with which the drops of a lone particle are drawn one by one, as glass, instead of as
// spray: 0 where the radius of the largest drops is at most 3 pixels, 1 where it is at least 6.
float drops_glass(float z, render_camera camera)
{
    if (params.streak.y == 0.0) return 1.0;
    float depth = camera.forward.w != 0.0 ? 1.0 : max(z, camera.eye.w);
    return smoothstep(3.0, 6.0, params.streak.z / (2.0 * camera.up.w * camera.frame.w * depth));
}

// Returns the fraction of a lone particle's volume that is spray, where its drops are not glass.
float drops_spray_part(float share) { return smoothstep(0.0, 0.6, drops_spread(share)); }

// Returns whether the pass splat_spray draws a part of the splat.
bool drops_are_spray(render_splat s, render_camera camera)
{
    return params.drops.x >= 2.0 && drops_spread(s.rest.z) > 0.0 && drops_glass(s.rest.x, camera) < 1.0;
}

// Returns the radius of the part of a splat that is not spray, over the splat's: this part shrinks as the
// drops spread.
float drops_rest_radius(render_splat s)
{
    float rest = 1.0 - drops_spray_part(s.rest.z);
    return rest < 1e-3 ? 0.0 : pow(rest, 1.0 / 3.0);
}

// Intersects a ray with the part of a splat that is not spray, like splat_intersect.
splat_hit drops_intersect_rest(render_splat s, view_ray ray, render_camera camera, float limit)
{
    float radius = drops_rest_radius(s);
    if (radius == 0.0) return splat_hit(false, limit, limit, vec3(0.0));
    s.low /= radius;
    s.high.xy /= radius;
    return splat_intersect(s, ray, camera.eye.w, limit);
}

// Intersects a ray with the drops of a splat, like splat_intersect with an ellipsoid, and returns the nearest
// hit. The chord of the hit is the sum of those of all drops, scaled to conserve the splat's volume.
splat_hit drops_intersect(render_splat s, view_ray ray, render_camera camera, float limit)
{
    float apart = drops_spread(s.rest.z), count = params.drops.x;
    bool cloud = params.streak.y > 0.0 && camera.forward.w != 0.0; // the sun sees spray as one ellipsoid
    if (count < 2.0 || apart <= 0.0 || cloud) return splat_intersect(s, ray, camera.eye.w, limit);
    if (drops_glass(s.rest.x, camera) < 0.5) return drops_intersect_rest(s, ray, camera, limit);
    mat3 b = splat_inverse_matrix(s);
    vec3 centre = vec3(s.high.zw, s.rest.x);
    drops_ray r = drops_ray(b * (ray.origin + ray.direction * centre.z - centre), b * ray.direction, centre.z,
                            camera.eye.w, limit);
    uint seed = floatBitsToUint(s.rest.w) & 0xffffffu;
    float mean = pow(s.rest.y / (0.499 * count), 1.0 / 3.0), volume = 0.0, chords = 0.0;
    float fine = params.drops.w > 1.0 ? smoothstep(0.2, 0.7, apart) * drops_subdivision(s, camera) : 0.0;
    float wide = 1.0 + (DROPS_CLOUD_RADIUS - 1.0) * fine;
    splat_hit hit = splat_hit(false, limit, limit, vec3(0.0));
    for (uint k = 0u; k < uint(count); k++) {
        float near, far;
        vec4 drop = drop_position(seed, k, apart, mean, wide);
        volume += drop.w * drop.w * drop.w;
        if (fine > 0.0) {
            chords += drops_intersect_cloud(r, drop, drops_hash(seed + k), fine, wide, hit.near);
        } else if (drop_intersect_ball(r, drop, near, far)) {
            hit.near = min(hit.near, near);
            chords += far - near;
        }
    }
    hit.found = chords > 0.0;
    hit.far = hit.near + chords / volume;
    return hit;
}
#endif
