// Sums floats as 64-bit integers in two words, low and high, so that the order in which invocations add does
// not matter.
#ifndef REDUCE_FIXED_SUM_GLSL
#define REDUCE_FIXED_SUM_GLSL

// Returns the two words of a rounded float of either sign (two's complement).
uvec2 integer_words(float value)
{
    float size = min(roundEven(abs(value)), 4e18), high = floor(size / 4294967296.0);
    uvec2 words = uvec2(uint(size - high * 4294967296.0), uint(high));
    if (value >= 0.0) return words;
    words.x = ~words.x + 1u;
    return uvec2(words.x, ~words.y + (words.x == 0u ? 1u : 0u));
}

float integer_value(uvec2 words)
{
    bool negative = (words.y & 0x80000000u) != 0u;
    if (negative) {
        words.x = ~words.x + 1u;
        words.y = ~words.y + (words.x == 0u ? 1u : 0u);
    }
    float size = float(words.y) * 4294967296.0 + float(words.x);
    return negative ? -size : size;
}

// Adds a value to the integer in the words `at` and `at` + 1 of a buffer.
#define INTEGER_ATOMIC_ADD(sums, at, value) \
    { \
        uvec2 words = integer_words(value); \
        uint before = atomicAdd(sums[at], words.x); \
        if (before + words.x < before) words.y++; \
        if (words.y != 0u) atomicAdd(sums[(at) + 1u], words.y); \
    }
#endif
