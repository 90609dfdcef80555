// The last row of solver.reseed: crowded cells give the last of their particles to the seats of hollow cells,
// both in the order of the cells. A particle keeps its id, begins the substep at a place in its new cell that
// chance picks by id and substep, and takes the grid's velocity there (flip_take.comp).
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(cell_starts);
READ_ANY(cell_spares);
READ_ANY(block_spares);
READ_ANY(sorted_ids);
UPDATE_ANY(starts);
UPDATE_ANY(headers);
UPDATE_ANY(fullness);
#include "poisson/level.glsl"
#include "mac/grid.glsl"
#include "math/random.glsl"
#include "particles/reseed.glsl"

// The cell that has a seat: the last one that has no more seats before it.
ivec3 seat_cell(uint seat)
{
    uint low = 0u, high = solve.firsts[1];
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (block_spares[middle].x <= seat) low = middle;
        else high = middle;
    }
    uint block = low, left = seat - block_spares[block].x;
    low = 0u;
    high = POISSON_CELLS;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (cell_spares[2u * (block * POISSON_CELLS + middle)] <= left) low = middle;
        else high = middle;
    }
    return ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(low));
}

// The position of a part of a cell. Where the domain is large the first guess is rounded.
ivec3 place_in(ivec3 cell, vec3 part)
{
    vec3 extent = vec3(params.fixed_max.xyz - params.fixed_min.xyz), count = vec3(params.mac_cells.xyz);
    ivec3 p = params.fixed_min.xyz + ivec3((vec3(cell) + part) / count * extent);
    p += ivec3((part - mac_offset(p, cell)) * extent / count);
    if (params.planar != 0u) p.z = params.fixed_min.w;
    return p;
}

void move(uint j, uint seat)
{
    vec3 part = random_numbers(uvec4(sorted_ids[j], status.total_substeps, 0u, 0u)).xyz;
    starts[j].xyz = place_in(seat_cell(seat), part);
    headers[j] = SIM_RESEEDED;
}

// All particles of a cell behind those that it keeps, as long as there are seats.
void give(ivec3 at, uint seat)
{
    uint passed = 0u, kept = spare_kept(), lines = spare_lines();
    for (uint k = 0u; k < lines; k++) {
        uvec2 range = spare_range(at, k);
        for (uint j = range.x; j < range.y; j++, passed++)
            if (passed >= kept && seat + passed - kept < status.reseeded) move(j, seat + passed - kept);
    }
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE || status.reseeded == 0u) return;
    uvec4 sums = block_spares[block];
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        uvec2 low = uvec2(cell_spares[2u * i], cell_spares[2u * i + 1u]), high = sums.zw;
        if (cell + 1u < POISSON_CELLS) high = uvec2(cell_spares[2u * i + 2u], cell_spares[2u * i + 3u]);
        uvec2 changed = min(sums.xy + high, status.reseeded) - min(sums.xy + low, status.reseeded);
        fullness[i] += (float(changed.x) - float(changed.y)) / params.cell_size.w;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell));
        if (changed.y > 0u) give(at, sums.y + low.y);
    }
}
