// Sums of impulses on bodies, in whole numbers of two words: the order in which invocations add does not
// matter. Needs `params` (sim_params) and body_sums.

float impulse_unit() { return params.spacing * params.fluids[0].mass * BODY_UNIT; } // kg m

// A whole number of either sign as two words, low and high.
uvec2 impulse_words(float value)
{
    float size = min(roundEven(abs(value)), 4e18), high = floor(size / 4294967296.0);
    uvec2 words = uvec2(uint(size - high * 4294967296.0), uint(high));
    if (value >= 0.0) return words;
    words.x = ~words.x + 1u;
    return uvec2(words.x, ~words.y + (words.x == 0u ? 1u : 0u));
}

float impulse_value(uvec2 words)
{
    bool negative = (words.y & 0x80000000u) != 0u;
    if (negative) {
        words.x = ~words.x + 1u;
        words.y = ~words.y + (words.x == 0u ? 1u : 0u);
    }
    float size = float(words.y) * 4294967296.0 + float(words.x);
    return negative ? -size : size;
}

void impulse_add_word(uint at, float value)
{
    uvec2 words = impulse_words(value);
    uint before = atomicAdd(body_sums[at], words.x);
    if (before + words.x < before) words.y++;
    if (words.y != 0u) atomicAdd(body_sums[at + 1u], words.y);
}

// An impulse times the substep, kg m, at the offset `arm` from the centre of mass.
void impulse_add(uint body, vec3 arm, vec3 impulse)
{
    vec3 moment = cross(arm, impulse);
    if (any(not_finite(impulse)) || any(not_finite(moment))) return; // of a lost particle
    float units = 1.0 / impulse_unit();
    for (uint axis = 0u; axis < 3u; axis++) {
        uint at = body * BODY_SUM_WORDS + 2u * axis;
        impulse_add_word(at, impulse[axis] * units);
        impulse_add_word(at + 6u, moment[axis] * (units / params.spacing));
    }
}
