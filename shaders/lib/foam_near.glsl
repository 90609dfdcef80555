// The fluid particles near a point. Needs foam.glsl, `grid`, `params`, `segments`, `cell_starts` and
// `sorted_points`; what is done with a neighbour is the macro FOAM_NEIGHBOUR(j, offset, distance, weight):
// the offset goes from the neighbour to the point, the weight is W = 1 - r/h.
#include "lines.glsl"

// Read once: a compiler that fears aliasing would read the block for every candidate.
float foam_near2, foam_inverse_h;
vec3 foam_period;

void foam_add_range(vec3 p, uvec2 range)
{
    uint last = min(range.y, range.x + 65000u);
    for (uint j = range.x; j < last; j++) {
        vec3 offset = p - FETCHED(sorted_points, j).xyz;
        if (PERIODIC) offset -= foam_period * round(offset / max(foam_period, vec3(1e-30)));
        float distance2 = dot(offset, offset);
        if (distance2 >= foam_near2) continue;
        float r = sqrt(distance2), w = 1.0 - r * foam_inverse_h;
        FOAM_NEIGHBOUR(j, offset, r, w);
    }
}

void foam_add_line(vec3 p, uint line, int lo, int hi)
{
    int n = int(grid.cells_x);
    uint from = uint(clamp(lo, 0, n - 1)), to = uint(clamp(hi, 0, n - 1));
    if (PERIODIC && grid.period.x > 0.0 && lo < 0)
        foam_add_range(p, line_range(line, uint(lo + n), uint(n - 1)));
    foam_add_range(p, line_range(line, from, to));
    if (PERIODIC && grid.period.x > 0.0 && hi >= n) foam_add_range(p, line_range(line, 0u, uint(hi - n)));
}

void foam_add_neighbours(vec3 p)
{
    if (params.point_count == 0u) return;
    foam_near2 = grid.radius2;
    foam_inverse_h = params.inverse_h;
    foam_period = params.period.xyz;
    vec3 at = grid_cells(grid, p), size = 1.0 / grid.inverse_cell.xyz;
    float radius2 = foam_near2 * 1.00001;
    ivec3 raw = ivec3(floor(at)), cell = grid_inside(grid, raw);
    vec3 inside = mix(at - vec3(cell), at - vec3(raw), greaterThan(grid.period.xyz, vec3(0.0)));
    int reach = int(grid.subdivision);
    for (int z = -reach; z <= reach; z++) {
        int cz = line_wrap(cell.z + z, grid.cells_z, grid.period.z);
        if (cz < 0) continue;
        for (int y = -reach; y <= reach; y++) {
            int cy = line_wrap(cell.y + y, grid.cells_y, grid.period.y);
            vec2 gap = vec2(line_gap(y, inside.y), line_gap(z, inside.z)) * size.yz;
            float rest2 = radius2 - dot(gap, gap);
            if (cy < 0 || rest2 <= 0.0) continue;
            float half_line = sqrt(rest2) * grid.inverse_cell.x + 1e-3;
            int lo = cell.x + int(floor(inside.x - half_line));
            int hi = cell.x + int(floor(inside.x + half_line));
            foam_add_line(p, grid_segment(grid, 0u, uint(cy), uint(cz)), lo, hi);
        }
    }
}
