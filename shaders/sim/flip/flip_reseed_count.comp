// First of three passes of solver.reseed: counts the particles that overfull cells can give away and the free
// slots of underfull cells; one workgroup per block. A cell is underfull if it holds few particles although
// all cells within SIM_RESEED_INTERIOR_CELLS are fluid or wall; next to air the fluid may be thin. Writes,
// for each cell, both counts summed over the preceding cells of its block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(bin_starts);
WRITE_ANY(reseed_cell_offsets);
WRITE_ANY(reseed_block_offsets);
#include "poisson/level.glsl"
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"
#include "particles/reseed.glsl"
#define SCAN_TYPE uvec2
#define SCAN_LANES POISSON_WORKGROUP
#include "reduce/workgroup_scan.glsl"

bool is_uncut(uvec4 cell)
{
    vec3 least = vec3(1.0);
    for (uint axis = 0u; axis < 3u; axis++) {
        vec2 open = unpackUnorm2x16(cell[axis]);
        least[axis] = max(open.x, open.y);
    }
    return min(least.x, min(least.y, params.planar != 0u ? 1.0 : least.z)) > 0.99;
}

// Returns whether a cell lies beyond an open side of the domain.
bool is_beyond_open_side(ivec3 at)
{
    bool outside = false;
    for (uint axis = 0u; axis < 3u; axis++) {
        uvec2 kinds = uvec2(params.sides >> (4u * axis), params.sides >> (4u * axis + 2u)) & 3u;
        outside = outside || (at[axis] < 0 && kinds.x == 1u) ||
                  (at[axis] >= params.mac_cells[axis] && kinds.y == 1u);
    }
    return outside;
}

// Returns whether there is no air in the cells around this one.
bool is_interior(ivec3 at)
{
    int deep = params.planar != 0u ? 0 : SIM_RESEED_INTERIOR_CELLS, n = SIM_RESEED_INTERIOR_CELLS;
    for (int z = -deep; z <= deep; z++)
        for (int y = -n; y <= n; y++)
            for (int x = -n; x <= n; x++) {
                ivec3 to = at + ivec3(x, y, z);
                if (to == at) continue;
                if (is_beyond_open_side(to)) return false;
                uint other = cell_index(uvec3(cell_inside_domain(to)));
                if (other == POISSON_NONE) return false;
                float level = uintBitsToFloat(cells[other].w);
                if (level >= 0.0 && level < POISSON_CLOSED) return false;
            }
    return true;
}

// Returns the free slots (x) and the excess particles (y) of a cell.
uvec2 count_slots_and_excess(uint i, ivec3 at)
{
    uint count = reseed_particle_count(at), kept = reseed_max_particles();
    float full = params.cell_size.w;
    if (count > kept) return uvec2(0u, count - kept);
    bool underfull = float(count) < SIM_RESEED_UNDERFULL * full && is_uncut(cells[i]) && is_interior(at);
    return uvec2(underfull ? uint(SIM_RESEED_TARGET * full + 0.5) - count : 0u, 0u);
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    uvec2 before = uvec2(0u);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        uvec3 at = blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell);
        uvec2 own = uvec2(0u), sum;
        if (all(lessThan(at, multigrid.cells[0].xyz))) own = count_slots_and_excess(i, ivec3(at));
        uvec2 first = before + workgroup_exclusive_scan(own, sum);
        reseed_cell_offsets[2u * i] = first.x;
        reseed_cell_offsets[2u * i + 1u] = first.y;
        before += sum;
    }
    if (gl_LocalInvocationIndex == 0u) reseed_block_offsets[block] = uvec4(0u, 0u, before);
}
