// Visits the particles within the radius of the grid around a position, and executes VISIT_NEIGHBOUR(j,
// offset, distance2) for each; the offset points from the particle to the position. NEIGHBOUR_POSITION(j) is
// the position of a particle, m; by default that in sorted_points.
// Buffers: sorted_points, and those of neighbours/bin_ranges.glsl.
#ifndef NEIGHBOURS_NEIGHBOUR_QUERY_GLSL
#define NEIGHBOURS_NEIGHBOUR_QUERY_GLSL
#ifndef VISIT_NEIGHBOUR
#error "define VISIT_NEIGHBOUR before neighbour_query.glsl: what is done with a particle"
#endif
#ifndef NEIGHBOUR_POSITION
#define NEIGHBOUR_POSITION(j) TEXEL(sorted_points, j).xyz
#endif
#include "neighbours/bin_ranges.glsl"

// Read once: a compiler that assumes aliasing would read the block for every candidate.
float neighbour_query_radius2;
vec3 neighbour_query_period;

void neighbour_query_range(vec3 p, uvec2 range)
{
    uint last = min(range.y, range.x + 65000u);
    for (uint j = range.x; j < last; j++) {
        vec3 offset = p - NEIGHBOUR_POSITION(j);
        if (PERIODIC)
            offset -= neighbour_query_period * round(offset / max(neighbour_query_period, vec3(1e-30)));
        float distance2 = dot(offset, offset);
        if (distance2 >= neighbour_query_radius2) continue;
        VISIT_NEIGHBOUR(j, offset, distance2);
    }
}

void neighbour_query_line(vec3 p, uint line, int lo, int hi)
{
    int n = int(grid.bins_x);
    uint from = uint(clamp(lo, 0, n - 1)), to = uint(clamp(hi, 0, n - 1));
    if (PERIODIC && grid.period.x > 0.0 && lo < 0)
        neighbour_query_range(p, bin_line_range(line, uint(lo + n), uint(n - 1)));
    neighbour_query_range(p, bin_line_range(line, from, to));
    if (PERIODIC && grid.period.x > 0.0 && hi >= n)
        neighbour_query_range(p, bin_line_range(line, 0u, uint(hi - n)));
}

void neighbour_query(vec3 p)
{
    neighbour_query_radius2 = grid.radius2;
    neighbour_query_period = grid.period.xyz;
    vec3 at = grid_bin_coordinates(grid, p), size = 1.0 / grid.inverse_bin_size.xyz;
    float radius2 = neighbour_query_radius2 * 1.00001;
    ivec3 raw = ivec3(floor(at)), cell = grid_wrap_bin(grid, raw);
    vec3 inside = mix(at - vec3(cell), at - vec3(raw), greaterThan(grid.period.xyz, vec3(0.0)));
    vec3 held = bin_line_inside(inside);
    int reach = int(grid.subdivision);
    for (int z = -reach; z <= reach; z++) {
        int cz = bin_line_wrap(cell.z + z, grid.bins_z, grid.period.z);
        if (cz < 0) continue;
        for (int y = -reach; y <= reach; y++) {
            int cy = bin_line_wrap(cell.y + y, grid.bins_y, grid.period.y);
            vec2 gap = vec2(bin_line_gap(y, held.y), bin_line_gap(z, held.z)) * size.yz;
            float rest2 = radius2 - dot(gap, gap);
            if (cy < 0 || rest2 <= 0.0) continue;
            float half_line = sqrt(rest2) * grid.inverse_bin_size.x + 1e-3;
            int lo = cell.x + int(floor(inside.x - half_line));
            int hi = cell.x + int(floor(inside.x + half_line));
            neighbour_query_line(p, grid_segment_index(grid, 0u, uint(cy), uint(cz)), lo, hi);
        }
    }
}
#endif
