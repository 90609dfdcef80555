// Smooths a field of cells once, with the weights 1/4 1/2 1/4 along each axis, in shared memory. The
// including shader defines first
//   TILE_MARGIN                    cells around the block; the outermost are not smoothed
//   vec2 tile_load_cell(ivec3 at)  value of a cell, which may lie outside the domain
// Buffers: params, multigrid, blocks.
#ifndef MAC_SMOOTHED_TILE_GLSL
#define MAC_SMOOTHED_TILE_GLSL
#include "mac/cells.glsl"
#include "poisson/level.glsl"

const uint TILE_EDGE = POISSON_BLOCK_EDGE + 2u * TILE_MARGIN;
const uvec3 TILE_STRIDES = uvec3(1u, TILE_EDGE, TILE_EDGE * TILE_EDGE);
shared vec2 tile[TILE_EDGE * TILE_EDGE * TILE_EDGE];

// Returns the tile's index of a cell of the block or near it. In the plane the tile has one layer.
uint tile_index(ivec3 local)
{
    uvec3 at = uvec3(local + int(TILE_MARGIN));
    return at.x + TILE_STRIDES.y * at.y + (params.planar != 0u ? 0u : TILE_STRIDES.z * at.z);
}

void smooth_line(uint first, uint stride)
{
    vec2 before = tile[first], own = tile[first + stride];
    for (uint k = 1u; k + 1u < TILE_EDGE; k++) {
        vec2 next = tile[first + (k + 1u) * stride];
        tile[first + k * stride] = 0.25 * (before + next) + 0.5 * own;
        before = own;
        own = next;
    }
}

// Every invocation must call it.
void load_smoothed_tile(uint block)
{
    uvec3 edges = uvec3(TILE_EDGE, TILE_EDGE, params.planar != 0u ? 1u : TILE_EDGE);
    ivec3 first = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE) - int(TILE_MARGIN);
    if (params.planar != 0u) first.z = 0;
    for (uint k = gl_LocalInvocationIndex; k < edges.x * edges.y * edges.z; k += POISSON_WORKGROUP)
        tile[k] = tile_load_cell(first + ivec3(uvec3(k, k / TILE_STRIDES.y, k / TILE_STRIDES.z) % edges));
    barrier();
    uint axes = params.planar != 0u ? 2u : 3u;
    for (uint axis = 0u; axis < axes; axis++) {
        uint a = axis == 0u ? 1u : 0u, b = axis == 2u ? 1u : 2u;
        for (uint line = gl_LocalInvocationIndex; line < edges[a] * edges[b]; line += POISSON_WORKGROUP)
            smooth_line(line % edges[a] * TILE_STRIDES[a] + line / edges[a] * TILE_STRIDES[b],
                        TILE_STRIDES[axis]);
        barrier();
    }
}

// Returns whether a cell lies outside the domain, past a closed side (x) or past an open one (y).
bvec2 tile_cell_is_outside(ivec3 at)
{
    ivec3 count = ivec3(multigrid.cells[0].xyz);
    bvec2 found = bvec2(false);
    for (uint axis = 0u; axis < 3u; axis++) {
        if (at[axis] >= 0 && at[axis] < count[axis] || params.period[axis] > 0.0) continue;
        uint side = 2u * axis + (at[axis] < 0 ? 0u : 1u);
        bool closed = (params.sides >> (2u * side) & 3u) == 0u;
        found = bvec2(found.x || closed, found.y || !closed);
    }
    return found;
}
#endif
