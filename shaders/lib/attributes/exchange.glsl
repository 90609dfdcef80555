// The diffusion of attributes: neighbouring particles exchange fractions of their differences. What one of a
// pair gains the other loses, to the bit before the sums, so the totals are kept.
// Buffers: params, status.
#ifndef ATTRIBUTES_EXCHANGE_GLSL
#define ATTRIBUTES_EXCHANGE_GLSL

// Returns the weight of a pair at the squared distance q2, in h^2.
float exchange_weight(float q2)
{
    float t = max(1.0 - sqrt(q2), 0.0);
    return t * t * t;
}

// Returns the fractions that a pair exchanges, per unit of its weight. `sum` is the larger sum of the weights
// of all pairs of either particle: a particle exchanges at most half of its value in all, so that no
// diffusivity is too large for the substep.
vec4 exchange_fraction(vec4 rate, float sum)
{
    vec4 fraction = rate * status.dt;
    return fraction / max(vec4(1.0), 2.0 * sum * fraction);
}
#endif
