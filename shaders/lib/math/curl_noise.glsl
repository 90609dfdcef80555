// Curl noise: a divergence-free vector field, the curl of a vector potential of gradient noise (Perlin 2002,
// Bridson, Houriham and Nordenstam 2007). The gradients turn with time, so the field changes without moving
// (Perlin and Neyret 2001).
#ifndef MATH_CURL_NOISE_GLSL
#define MATH_CURL_NOISE_GLSL
#include "math/random.glsl"

// Inverse of the root mean square of the noise, measured over 10^6 points; and that in planar flow.
#define CURL_NOISE_SCALE 0.8190
#define CURL_NOISE_PLANAR_SCALE 1.4181

// Returns three numbers in [-1, 1], of 10 bits each.
vec3 curl_noise_gradient(uint word)
{
    return vec3(uvec3(word, word >> 10, word >> 20) & 1023u) * (2.0 / 1023.0) - 1.0;
}

// Returns the gradients of the potential's components at a lattice point, one per column. `wave`: the cosines
// and sines of the four angles. A gradient turns in the plane of itself and its permutation.
mat3 curl_noise_gradients(ivec3 point, uint seed, vec4 cosines, vec4 sines)
{
    uvec4 words = random_uints(uvec4(uvec3(point), seed));
    float c = cosines[words.w >> 30], s = sines[words.w >> 30];
    vec3 x = curl_noise_gradient(words.x), y = curl_noise_gradient(words.y), z = curl_noise_gradient(words.z);
    return mat3(c * x + s * x.zxy, c * y + s * y.zxy, c * z + s * z.zxy);
}

// Returns the curl of the potential at p, in cells of the lattice. In planar flow only the potential's z
// component counts.
vec3 curl_noise_octave(vec3 p, uint seed, vec4 cosines, vec4 sines, bool planar)
{
    vec3 low = floor(p), f = p - low;
    vec3 weight = f * f * f * (f * (f * 6.0 - 15.0) + 10.0), slope = 30.0 * f * f * (f - 1.0) * (f - 1.0);
    vec3 sum = vec3(0.0);
    for (int corner = 0; corner < 8; corner++) {
        ivec3 at = ivec3(corner, corner >> 1, corner >> 2) & 1;
        mat3 gradients = curl_noise_gradients(ivec3(low) + at, seed, cosines, sines);
        vec3 potential = (f - vec3(at)) * gradients;
        vec3 curl = vec3(gradients[2].y - gradients[1].z, gradients[0].z - gradients[2].x,
                         gradients[1].x - gradients[0].y);
        if (planar) {
            potential.xy = vec2(0.0);
            curl = vec3(gradients[2].y, -gradients[2].x, 0.0);
        }
        bvec3 upper = equal(at, ivec3(1));
        vec3 w = mix(1.0 - weight, weight, upper), d = mix(-slope, slope, upper);
        sum += cross(vec3(d.x * w.y * w.z, w.x * d.y * w.z, w.x * w.y * d.z), potential) +
               w.x * w.y * w.z * curl;
    }
    return planar ? vec3(sum.xy, 0.0) : sum;
}

// Returns curl noise with a root mean square of 1. Each octave has eddies half as large and half as strong as
// the one before. `turns`: by how much the four sets of gradients have turned; 1: full turns.
vec3 curl_noise(vec3 p, uint octaves, uint seed, vec4 turns, bool planar)
{
    // Vulkan states the precision of sines and cosines from -pi to pi.
    vec4 angles = 6.28318531 * (turns - round(turns)), cosines = cos(angles), sines = sin(angles);
    vec3 sum = vec3(0.0);
    float weight = 1.0, squares = 0.0;
    for (uint o = 0u; o < octaves; o++) {
        sum += weight * curl_noise_octave(p, seed + o, cosines, sines, planar);
        squares += weight * weight;
        weight *= 0.5;
        p = 2.0 * p + 17.5; // keeps the lattice points of octaves apart
    }
    return (planar ? CURL_NOISE_PLANAR_SCALE : CURL_NOISE_SCALE) * inversesqrt(squares) * sum;
}
#endif
