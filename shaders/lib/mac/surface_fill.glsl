// The smoothed fill of a block and the cells around it, each particle counted by its surface tension: the
// field whose slope shows where the surface is (docs/equations.md). Runs while `cells` has the open fractions
// of the cells. The including shader defines TILE_MARGIN first and calls load_smoothed_tile.
// Buffers: params, multigrid, blocks, block_slots, cells, fill_fractions, face_coefficients.
#ifndef MAC_SURFACE_FILL_GLSL
#define MAC_SURFACE_FILL_GLSL
vec2 tile_load_cell(ivec3 at);
#include "mac/cell_index.glsl"
#include "mac/smoothed_tile.glsl"

// Returns the fill fraction of cell i, each particle counted by its surface tension over the largest.
float tense_fill(uint i) { return UNIFORM_TENSION ? fill_fractions[i] : face_coefficients[i].w; }

// Returns x tense_fill of a cell; y its open fraction.
vec2 tile_load_cell(ivec3 at)
{
    bvec2 outside = tile_cell_is_outside(at);
    if (outside.x || outside.y) return vec2(0.0, outside.x ? 0.0 : 1.0);
    uint i = cell_index(uvec3(cell_inside_domain(at)));
    return i == POISSON_NONE ? vec2(0.0, 1.0) : vec2(tense_fill(i), uintBitsToFloat(cells[i].w));
}

// Returns the smoothed fill of the open space in and around a cell: walls do not count as air.
float fill_at(ivec3 local)
{
    vec2 sum = tile[tile_index(local)];
    return sum.y > 0.0 ? sum.x / sum.y : 0.0;
}

// Returns whether fluid is more than half missing in a cell.
bool holds_air(uint i)
{
    return i == POISSON_NONE || fill_fractions[i] < 0.5 * uintBitsToFloat(cells[i].w);
}

bool is_near_air(uint block, uint cell)
{
    bool found = holds_air(block * POISSON_BLOCK_CELLS + cell);
    uint sides = params.planar != 0u ? 4u : 6u;
    for (uint side = 0u; side < sides && !found; side++)
        found = holds_air(poisson_neighbour_cell(block, cell, side));
    return found;
}
#endif
