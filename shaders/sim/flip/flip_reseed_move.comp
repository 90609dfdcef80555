// Last of three passes of solver.reseed: moves the last particles of overfull cells into the free slots of
// underfull cells, both in the order of the cells; one workgroup per block. A particle keeps its id, starts
// the substep at a pseudo-random position in its new cell, seeded by its id and the substep, and takes the
// grid's velocity there (flip_g2p_advect.comp).
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
BLOCK(grid);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_ANY(reseed_cell_offsets);
READ_ANY(reseed_block_offsets);
READ_ANY(sorted_ids);
UPDATE_ANY(sorted_positions);
UPDATE_ANY(neighbour_headers);
UPDATE_ANY(fill_fractions);
#include "poisson/level.glsl"
#include "mac/grid.glsl"
#include "math/random.glsl"
#include "particles/reseed.glsl"

// Returns the cell that owns a slot: the last one whose first slot is not past it.
ivec3 cell_of_slot(uint slot)
{
    uint low = 0u, high = solve.firsts[1];
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (reseed_block_offsets[middle].x <= slot) low = middle;
        else high = middle;
    }
    uint block = low, left = slot - reseed_block_offsets[block].x;
    low = 0u;
    high = POISSON_BLOCK_CELLS;
    while (high - low > 1u) {
        uint middle = (low + high) / 2u;
        if (reseed_cell_offsets[2u * (block * POISSON_BLOCK_CELLS + middle)] <= left) low = middle;
        else high = middle;
    }
    return ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(low));
}

// Returns the position at a fraction of a cell. In a large domain the first estimate is rounded, so it is
// refined once.
ivec3 position_in_cell(ivec3 cell, vec3 fraction)
{
    vec3 extent = vec3(params.fixed_max.xyz - params.fixed_min.xyz), count = vec3(params.mac_cells.xyz);
    ivec3 p = params.fixed_min.xyz + ivec3((vec3(cell) + fraction) / count * extent);
    p += ivec3((fraction - mac_offset_in_cells(p, cell)) * extent / count);
    if (params.planar != 0u) p.z = params.fixed_min.w;
    return p;
}

void move_particle(uint j, uint slot)
{
    vec3 fraction = random_floats(uvec4(sorted_ids[j], status.total_substeps, 0u, 0u)).xyz;
    sorted_positions[j].xyz = position_in_cell(cell_of_slot(slot), fraction);
    neighbour_headers[j] = SIM_RESEEDED;
}

// Moves the particles of a cell in excess of those that it keeps, as long as there are slots.
void move_excess_particles(ivec3 at, uint slot)
{
    uint passed = 0u, kept = reseed_max_particles(), lines = reseed_lines_per_cell();
    for (uint k = 0u; k < lines; k++) {
        uvec2 range = reseed_line_particles(at, k);
        for (uint j = range.x; j < range.y; j++, passed++)
            if (passed >= kept && slot + passed - kept < status.reseeded)
                move_particle(j, slot + passed - kept);
    }
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE || status.reseeded == 0u) return;
    uvec4 sums = reseed_block_offsets[block];
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        uvec2 low = uvec2(reseed_cell_offsets[2u * i], reseed_cell_offsets[2u * i + 1u]), high = sums.zw;
        if (cell + 1u < POISSON_BLOCK_CELLS)
            high = uvec2(reseed_cell_offsets[2u * i + 2u], reseed_cell_offsets[2u * i + 3u]);
        uvec2 changed = min(sums.xy + high, status.reseeded) - min(sums.xy + low, status.reseeded);
        fill_fractions[i] += (float(changed.x) - float(changed.y)) / params.cell_size.w;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        if (changed.y > 0u) move_excess_particles(at, sums.y + low.y);
    }
}
