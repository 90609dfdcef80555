// The depth of a cell's middle under the surface, in cells, -1 to 1. `filled` is the sum that particles share
// out to the cell, over that of a cell deep in the fluid, 0 to 1. A flat surface along the cells, at a depth
// s, makes it (1 + s)^2 / 2 for s < 0 and 1 - (1 - s)^2 / 2 for s > 0. The function inverts this.
float depth_of(float filled)
{
    float size = 1.0 - sqrt(2.0 * min(filled, 1.0 - filled));
    return filled < 0.5 ? -size : size;
}
