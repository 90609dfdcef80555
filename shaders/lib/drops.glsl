// A particle without neighbours is spray. It is drawn as several drops of its volume in all, as large as the
// air lets drops be: balls in the space where the splat's ellipsoid is the unit ball. The ellipsoid is long
// along the particle's motion, and so are the drops. Needs `params` and splat.glsl.

// How far they are apart: 0 in a sheet and in bulk, where there is one ball.
float drops_apart(float share) { return 1.0 - smoothstep(0.08, 0.24, share); }

uint drops_hash(uint x)
{
    x = (x ^ x >> 16) * 0x7feb352du;
    x = (x ^ x >> 15) * 0x846ca68bu;
    return x ^ x >> 16;
}

// Place and radius of drop `k`. `mean`: the radius of a drop of mean volume. Most are small: 0.499 is the
// mean cube of their sizes, which are 0.35 to 1.5.
vec4 drops_at(uint seed, uint k, float apart, float mean)
{
    uint h = drops_hash(seed + k * 0x9e3779b9u);
    vec3 u = vec3(h & 1023u, h >> 10 & 1023u, h >> 20 & 1023u) / 511.5 - 1.0; // in a cube
    float f = fract(5.3 * (u.x + u.y + u.z)), radius = mix(1.0, mean * (0.35 + 1.15 * f * f * f), apart);
    float in_ball = max(max(abs(u.x), abs(u.y)), abs(u.z)) / max(length(u), 1e-3);
    return vec4(apart * max(1.0 - radius, 0.0) * in_ball * u, radius);
}

// The nearest drop that a ray meets, as splat_meet has it of an ellipsoid. The chord of the hit is the sum of
// all drops', made such that a splat's volume stays its own.
splat_hit drops_meet(render_splat s, view_ray ray, float nearest, float limit)
{
    float apart = drops_apart(s.rest.z), count = params.drops.x;
    if (count < 2.0 || apart <= 0.0) return splat_meet(s, ray, nearest, limit);
    mat3 b = splat_matrix(s);
    vec3 centre = vec3(s.high.zw, s.rest.x), d = b * ray.direction;
    vec3 o = b * (ray.origin + ray.direction * centre.z - centre);
    float dd = dot(d, d), mean = pow(s.rest.y / (0.499 * count), 1.0 / 3.0), volume = 0.0, chords = 0.0;
    splat_hit hit = splat_hit(false, limit, limit, vec3(0.0));
    for (uint k = 0u; k < uint(count); k++) {
        vec4 drop = drops_at(floatBitsToUint(s.rest.w) & 0xffffffu, k, apart, mean);
        vec3 from = o - drop.xyz, side = cross(from, d);
        float disc = drop.w * drop.w * dd - dot(side, side), root = sqrt(max(disc, 0.0));
        float near = max(centre.z - (dot(from, d) + root) / dd, nearest);
        float far = min(centre.z - (dot(from, d) - root) / dd, limit);
        volume += drop.w * drop.w * drop.w;
        if (disc <= 0.0 || far <= near) continue;
        hit.found = true;
        hit.near = min(hit.near, near);
        chords += far - near;
    }
    hit.far = hit.near + chords / volume;
    return hit;
}
