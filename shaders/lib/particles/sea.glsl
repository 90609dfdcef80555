// The relaxation zones at the sides of a sea, and the waves of linear theory in them (docs/equations.md).
// Buffers: sea.
#ifndef PARTICLES_SEA_GLSL
#define PARTICLES_SEA_GLSL

// Relaxation of velocities at a point: the rate, 1/s, and the share of it that is towards the waves.
struct sea_relaxation {
    float rate;
    float waves;
};

// Rates grow with the square of the depth in a zone. Where zones overlap, they add up.
sea_relaxation sea_relaxation_at(vec3 p)
{
    vec4 depth = vec4(p.x - sea.sides.x, sea.sides.y - p.x, p.z - sea.sides.z, sea.sides.w - p.z);
    vec4 into = clamp(1.0 - depth * sea.widths_per_metre, 0.0, 1.0);
    vec4 rates = sea.rates * into * into;
    float rate = dot(rates, vec4(1.0));
    return sea_relaxation(rate, rate > 0.0 ? dot(rates, sea.waves_at) / rate : 0.0);
}

// Returns the phase of a wave, from -pi to pi: Vulkan states the precision of sines and cosines only there.
float sea_wave_angle(sim_sea_wave wave, vec2 p, float t)
{
    float turns = (dot(wave.vector.xy, p) - wave.vector.w * t + wave.size.z) * 0.159154943;
    return 6.28318531 * (turns - round(turns));
}

// Returns the elevation of the waves above the still water, m, a time t after the start of the frame.
float sea_elevation(vec2 p, float t)
{
    float sum = 0.0;
    uint n = sea.wave_count;
    for (uint i = 0u; i < n; i++) sum += sea.waves[i].size.x * cos(sea_wave_angle(sea.waves[i], p, t));
    return sum;
}

// Returns the height at which linear theory gives the velocity of a point, m above the still water: Wheeler
// (1970) stretches the water up to the elevation over the depth of the still water.
float sea_stretched_height(float height, float elevation)
{
    float deep = max(sea.depth + elevation, 0.1 * sea.depth);
    return clamp((height - elevation) * sea.depth / deep, -sea.depth, 0.0);
}

// Returns the velocity of the waves at p, m/s.
vec3 sea_wave_velocity(vec3 p, float t)
{
    float height = sea_stretched_height(p.y - sea.current.w, sea_elevation(p.xz, t));
    vec3 sum = vec3(0.0);
    uint n = sea.wave_count;
    for (uint i = 0u; i < n; i++) {
        sim_sea_wave wave = sea.waves[i];
        float angle = sea_wave_angle(wave, p.xz, t), k = wave.vector.z;
        float speed = wave.size.y * exp(k * height), mirror = exp(-2.0 * k * (height + sea.depth));
        vec2 along = wave.vector.xy * (speed * (1.0 + mirror) * cos(angle) / k);
        sum += vec3(along.x, speed * (1.0 - mirror) * sin(angle), along.y);
    }
    return sum;
}
#endif
