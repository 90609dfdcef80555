// The first of three rows of solver.reseed: which cells have particles to spare, and which hollow ones have
// seats for them. A cell is hollow where it holds next to nothing though all cells two around it are fluid or
// wall; fluid beside air may be thin. Counts both, for each cell those of the cells before it in its block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(slots);
READ_ANY(cells);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(cell_starts);
WRITE_ANY(cell_spares);
WRITE_ANY(block_spares);
#include "poisson/level.glsl"
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"
#include "particles/reseed.glsl"
#define SCAN_TYPE uvec2
#define SCAN_LANES POISSON_WORKGROUP
#include "reduce/workgroup_scan.glsl"

bool is_whole(uvec4 cell)
{
    vec3 least = vec3(1.0);
    for (uint axis = 0u; axis < 3u; axis++) {
        vec2 open = unpackUnorm2x16(cell[axis]);
        least[axis] = max(open.x, open.y);
    }
    return min(least.x, min(least.y, params.planar != 0u ? 1.0 : least.z)) > 0.99;
}

// Is a place beyond an open side of the domain?
bool is_outside(ivec3 at)
{
    bool outside = false;
    for (uint axis = 0u; axis < 3u; axis++) {
        uvec2 kinds = uvec2(params.sides >> (4u * axis), params.sides >> (4u * axis + 2u)) & 3u;
        outside = outside || (at[axis] < 0 && kinds.x == 1u) ||
                  (at[axis] >= params.mac_cells[axis] && kinds.y == 1u);
    }
    return outside;
}

// Is there no air in the cells around this one?
bool is_inside(ivec3 at)
{
    int deep = params.planar != 0u ? 0 : SIM_RESEED_INSIDE, n = SIM_RESEED_INSIDE;
    for (int z = -deep; z <= deep; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                ivec3 to = at + ivec3(x, y, z);
                if (to == at) continue;
                if (is_outside(to)) return false;
                uint other = cells_index(uvec3(cells_inside(to)));
                if (other == POISSON_NONE) return false;
                float level = uintBitsToFloat(cells[other].w);
                if (level >= 0.0 && level < POISSON_CLOSED) return false;
            }
    return true;
}

// x seats, y particles to spare.
uvec2 spares_of(uint i, ivec3 at)
{
    uint count = spare_count(at), kept = spare_kept();
    float full = params.cell_size.w;
    if (count > kept) return uvec2(0u, count - kept);
    bool hollow = float(count) < SIM_RESEED_HOLLOW * full && is_whole(cells[i]) && is_inside(at);
    return uvec2(hollow ? uint(SIM_RESEED_FILLED * full + 0.5) - count : 0u, 0u);
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    uvec2 before = uvec2(0u);
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        uvec3 at = blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell);
        uvec2 own = uvec2(0u), sum;
        if (all(lessThan(at, multigrid.cells[0].xyz))) own = spares_of(i, ivec3(at));
        uvec2 first = before + sum_before(own, sum);
        cell_spares[2u * i] = first.x;
        cell_spares[2u * i + 1u] = first.y;
        before += sum;
    }
    if (gl_LocalInvocationIndex == 0u) block_spares[block] = uvec4(0u, 0u, before);
}
