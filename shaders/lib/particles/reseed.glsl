// Counts and lists the particles of a cell of the MAC grid, for solver.reseed.
// Buffers: params, and those of neighbours/bin_ranges.glsl.
#ifndef PARTICLES_RESEED_GLSL
#define PARTICLES_RESEED_GLSL
#include "neighbours/bin_ranges.glsl"

// Returns the number of lines of bins in a cell: a bin is half a cell wide.
uint reseed_lines_per_cell() { return params.planar != 0u ? 2u : 4u; }

// Returns the range of sorted particles of line k of a cell.
uvec2 reseed_line_particles(ivec3 at, uint k)
{
    if (any(greaterThanEqual(at, params.mac_cells.xyz))) return uvec2(0u); // air beyond an open side
    uvec2 line = 2u * uvec2(at.yz) + uvec2(k & 1u, k >> 1);
    uvec2 range = bin_line_range(grid_segment_index(grid, 0u, line.x, line.y), 2u * uint(at.x),
                                 2u * uint(at.x) + 1u);
    return uvec2(range.x, min(range.y, range.x + SIM_RESEED_MAX_PER_LINE));
}

uint reseed_particle_count(ivec3 at)
{
    uint sum = 0u, lines = reseed_lines_per_cell();
    for (uint k = 0u; k < lines; k++) {
        uvec2 range = reseed_line_particles(at, k);
        sum += range.y - range.x;
    }
    return sum;
}

// Returns the number of particles above which a cell is overfull; it gives away those beyond this number.
uint reseed_max_particles() { return uint(SIM_RESEED_OVERFULL * params.cell_size.w + 0.5); }
#endif
