// Generates random numbers from a counter: the same words give the same numbers, in whatever order they are
// drawn. pcg4d of Jarzynski and Olano, "Hash functions for GPU rendering" (2020).
#ifndef MATH_RANDOM_GLSL
#define MATH_RANDOM_GLSL

uvec4 random_uints(uvec4 v)
{
    v = v * 1664525u + 1013904223u;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    v ^= v >> 16;
    v.x += v.y * v.w;
    v.y += v.z * v.x;
    v.z += v.x * v.y;
    v.w += v.y * v.z;
    return v;
}

// Returns four numbers in [0, 1), of 24 bits each, because 32 bits as a float could round up to 1.
vec4 random_floats(uvec4 counter) { return vec4(random_uints(counter) >> 8) * (1.0 / 16777216.0); }
#endif
