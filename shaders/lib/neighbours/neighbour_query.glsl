// Visits the particles within the radius of the grid around a position. AROUND_PARTICLE(j, offset,
// distance2) is what is done with each; the offset points from the particle to the position.
// Buffers: sorted_points, and those of neighbours/cell_ranges.glsl.
#ifndef NEIGHBOURS_NEIGHBOUR_QUERY_GLSL
#define NEIGHBOURS_NEIGHBOUR_QUERY_GLSL
#ifndef AROUND_PARTICLE
#error "define AROUND_PARTICLE before neighbour_query.glsl: what is done with a particle"
#endif
#include "neighbours/cell_ranges.glsl"

// Read once: a compiler that fears aliasing would read the block for every candidate.
float around_radius2;
vec3 around_period;

void around_add_range(vec3 p, uvec2 range)
{
    uint last = min(range.y, range.x + 65000u);
    for (uint j = range.x; j < last; j++) {
        vec3 offset = p - TEXEL(sorted_points, j).xyz;
        if (PERIODIC) offset -= around_period * round(offset / max(around_period, vec3(1e-30)));
        float distance2 = dot(offset, offset);
        if (distance2 >= around_radius2) continue;
        AROUND_PARTICLE(j, offset, distance2);
    }
}

void around_add_line(vec3 p, uint line, int lo, int hi)
{
    int n = int(grid.cells_x);
    uint from = uint(clamp(lo, 0, n - 1)), to = uint(clamp(hi, 0, n - 1));
    if (PERIODIC && grid.period.x > 0.0 && lo < 0)
        around_add_range(p, line_range(line, uint(lo + n), uint(n - 1)));
    around_add_range(p, line_range(line, from, to));
    if (PERIODIC && grid.period.x > 0.0 && hi >= n) around_add_range(p, line_range(line, 0u, uint(hi - n)));
}

void around_add(vec3 p)
{
    around_radius2 = grid.radius2;
    around_period = grid.period.xyz;
    vec3 at = grid_cells(grid, p), size = 1.0 / grid.inverse_cell.xyz;
    float radius2 = around_radius2 * 1.00001;
    ivec3 raw = ivec3(floor(at)), cell = grid_inside(grid, raw);
    vec3 inside = mix(at - vec3(cell), at - vec3(raw), greaterThan(grid.period.xyz, vec3(0.0)));
    vec3 held = line_inside(inside);
    int reach = int(grid.subdivision);
    for (int z = -reach; z <= reach; z++) {
        int cz = line_wrap(cell.z + z, grid.cells_z, grid.period.z);
        if (cz < 0) continue;
        for (int y = -reach; y <= reach; y++) {
            int cy = line_wrap(cell.y + y, grid.cells_y, grid.period.y);
            vec2 gap = vec2(line_gap(y, held.y), line_gap(z, held.z)) * size.yz;
            float rest2 = radius2 - dot(gap, gap);
            if (cy < 0 || rest2 <= 0.0) continue;
            float half_line = sqrt(rest2) * grid.inverse_cell.x + 1e-3;
            int lo = cell.x + int(floor(inside.x - half_line));
            int hi = cell.x + int(floor(inside.x + half_line));
            around_add_line(p, grid_segment(grid, 0u, uint(cy), uint(cz)), lo, hi);
        }
    }
}
#endif
