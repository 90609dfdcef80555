// Computes the open fraction of faces that solids cut (Batty, Bertails and Bridson 2007): the fraction of a
// square on which a distance field is positive.
#ifndef MAC_FRACTIONS_GLSL
#define MAC_FRACTIONS_GLSL

// Returns the open fraction of a line whose ends have the distances a and b.
float line_open_fraction(float a, float b)
{
    if (a > 0.0 && b > 0.0) return 1.0;
    if (a <= 0.0 && b <= 0.0) return 0.0;
    return max(a, b) / (max(a, b) - min(a, b));
}

// Returns where the line from a to b crosses the surface, 0 to 1, or `other` if it does not.
float line_closing_point(float a, float b, float other)
{
    return (a > 0.0) != (b > 0.0) ? a / (a - b) : other;
}

// Returns the open fraction of the square's line at t between the edges `low` (0) and `high` (1).
float open_fraction_at(vec2 low, vec2 high, float t)
{
    vec2 ends = mix(low, high, t);
    return line_open_fraction(ends.x, ends.y);
}

// Returns the open fraction of a square with the corners low.x, low.y on one edge and high.x, high.y on the
// opposite one. Exact for a plane: the open width is then linear between the points where the other two edges
// close, so its value in the middle of each interval is the mean.
float square_open_fraction(vec2 low, vec2 high)
{
    float left = line_closing_point(low.x, high.x, 0.0), right = line_closing_point(low.y, high.y, 1.0);
    float first = min(left, right), second = max(left, right);
    return first * open_fraction_at(low, high, 0.5 * first) +
           (second - first) * open_fraction_at(low, high, 0.5 * (first + second)) +
           (1.0 - second) * open_fraction_at(low, high, 0.5 * (second + 1.0));
}

// Returns the depth of a cell's centre under the surface, in cells, -1 to 1. `filled` is the sum of the
// weights that particles assign to the cell, over that of a cell deep in the fluid, 0 to 1. For a flat
// surface parallel to the cells, at the depth s, `filled` is
//   (1 + s)^2 / 2 for s < 0, and 1 - (1 - s)^2 / 2 for s > 0.
// This function inverts that.
float depth_from_fill(float filled)
{
    float size = 1.0 - sqrt(2.0 * min(filled, 1.0 - filled));
    return filled < 0.5 ? -size : size;
}
#endif
