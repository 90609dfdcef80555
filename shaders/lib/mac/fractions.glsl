// Open shares of faces that solids cut (Batty, Bertails and Bridson 2007): the share of a square on which a
// distance field is positive.
#ifndef MAC_FRACTIONS_GLSL
#define MAC_FRACTIONS_GLSL

// The share of a line from a to b that is open.
float line_open_fraction(float a, float b)
{
    if (a > 0.0 && b > 0.0) return 1.0;
    if (a <= 0.0 && b <= 0.0) return 0.0;
    return max(a, b) / (max(a, b) - min(a, b));
}

// Where the line from a to b closes, or `other` where it does not.
float line_closing_point(float a, float b, float other) { return (a > 0.0) != (b > 0.0) ? a / (a - b) : other; }

// The open share of the square's line at t, from the lower edge to the upper one.
float open_fraction_at(vec2 low, vec2 high, float t)
{
    vec2 ends = mix(low, high, t);
    return line_open_fraction(ends.x, ends.y);
}

// The share of a square that is open; its corners are low.x, low.y on one edge and high.x, high.y on the
// opposite one. Exact for a plane: the open width is then linear between the ends of the other two edges, so
// that its value in the middle of each part is the mean.
float square_open_fraction(vec2 low, vec2 high)
{
    float left = line_closing_point(low.x, high.x, 0.0), right = line_closing_point(low.y, high.y, 1.0);
    float first = min(left, right), second = max(left, right);
    return first * open_fraction_at(low, high, 0.5 * first) +
           (second - first) * open_fraction_at(low, high, 0.5 * (first + second)) +
           (1.0 - second) * open_fraction_at(low, high, 0.5 * (second + 1.0));
}

// The depth of a cell's middle under the surface, in cells, -1 to 1. `filled` is the sum that particles share
// out to the cell, over that of a cell deep in the fluid, 0 to 1. A flat surface along the cells, at a depth
// s, makes it (1 + s)^2 / 2 for s < 0 and 1 - (1 - s)^2 / 2 for s > 0. The function inverts this.

float depth_from_fill(float filled)
{
    float size = 1.0 - sqrt(2.0 * min(filled, 1.0 - filled));
    return filled < 0.5 ? -size : size;
}
#endif
