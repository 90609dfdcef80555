// Fits ellipsoids to the weighted covariance of a point's neighbours.
// Buffers: sorted_points, fit, and those of neighbours/bin_ranges.glsl.
#ifndef NEIGHBOURS_ANISOTROPY_GLSL
#define NEIGHBOURS_ANISOTROPY_GLSL
#include "neighbours/bin_ranges.glsl"

// Eigenvalues and eigenvectors of a symmetric 3x3 matrix by a fixed number of cyclic Jacobi sweeps (Golub and
// Van Loan 8.5): no branches on the data, and no axis is lost where eigenvalues coincide.

// Applies the rotation that makes a[p][q] zero; `v` accumulates the rotations.
void eigen_rotate(inout mat3 a, inout mat3 v, int p, int q)
{
    float off = a[p][q];
    float theta = (a[q][q] - a[p][p]) / (2.0 * (off == 0.0 ? 1.0 : off));
    float t = (theta < 0.0 ? -1.0 : 1.0) / (abs(theta) + sqrt(theta * theta + 1.0));
    if (off == 0.0) t = 0.0;
    float c = 1.0 / sqrt(t * t + 1.0), s = t * c;
    mat3 r = mat3(1.0);
    r[p][p] = c;
    r[q][q] = c;
    r[q][p] = s; // column q, row p
    r[p][q] = -s;
    a = transpose(r) * a * r;
    a[p][q] = 0.0;
    a[q][p] = 0.0;
    v = v * r;
}

// Computes eigenvalues, and unit eigenvectors as the columns of `vectors`, in no particular order.
void eigen_symmetric(mat3 a, uint sweeps, out vec3 values, out mat3 vectors)
{
    vectors = mat3(1.0);
    for (uint k = 0u; k < sweeps; k++) {
        eigen_rotate(a, vectors, 0, 1);
        eigen_rotate(a, vectors, 0, 2);
        eigen_rotate(a, vectors, 1, 2);
    }
    values = vec3(a[0][0], a[1][1], a[2][2]);
}

// Sums over the neighbours. Offsets are from the point itself, so they are small and nothing cancels.
float weight, count;
vec3 first;     // weight times offset
vec3 diagonal;  // weight times squares
vec3 mixed;     // weight times xy, xz, yz
float radius2, inverse_radius;  // of the search, m2 and 1/m

void add_range(vec3 p, uvec2 range)
{
    uint last = min(range.y, range.x + 65000u);
    for (uint j = range.x; j < last; j++) {
        vec3 d = TEXEL(sorted_points, j).xyz - p;
        if (PERIODIC) d -= grid.period.xyz * round(d / max(grid.period.xyz, vec3(1e-30)));
        float d2 = dot(d, d);
        float x = sqrt(d2) * inverse_radius;
        float w = d2 < radius2 ? 1.0 - x * x * x : 0.0;
        weight += w;
        count += d2 < radius2 ? 1.0 : 0.0;
        first += w * d;
        diagonal += w * d * d;
        mixed += w * vec3(d.x * d.y, d.x * d.z, d.y * d.z);
    }
}

void add_line(vec3 p, uint line, int lo, int hi)
{
    int n = int(grid.bins_x);
    uint from = uint(clamp(lo, 0, n - 1)), to = uint(clamp(hi, 0, n - 1));
    if (PERIODIC && grid.period.x > 0.0 && lo < 0)
        add_range(p, bin_line_range(line, uint(lo + n), uint(n - 1)));
    add_range(p, bin_line_range(line, from, to));
    if (PERIODIC && grid.period.x > 0.0 && hi >= n) add_range(p, bin_line_range(line, 0u, uint(hi - n)));
}

// Sums over all points within the radius times `wider`, including the point itself.
void add_neighbours(vec3 p, float wider)
{
    weight = 0.0;
    count = -1.0;
    first = diagonal = mixed = vec3(0.0);
    radius2 = grid.radius2 * wider * wider;
    inverse_radius = fit.inverse_radius / wider;
    vec3 at = grid_bin_coordinates(grid, p);
    ivec3 raw = ivec3(floor(at)), cell = grid_wrap_bin(grid, raw);
    vec3 inside = mix(at - vec3(cell), at - vec3(raw), greaterThan(grid.period.xyz, vec3(0.0)));
    vec3 held = bin_line_inside(inside);
    int reach = int(ceil(float(grid.subdivision) * wider));
    for (int z = -reach; z <= reach; z++) {
        int cz = bin_line_wrap(cell.z + z, grid.bins_z, grid.period.z);
        if (cz < 0) continue;
        for (int y = -reach; y <= reach; y++) {
            int cy = bin_line_wrap(cell.y + y, grid.bins_y, grid.period.y);
            vec2 gap = vec2(bin_line_gap(y, held.y), bin_line_gap(z, held.z)) / grid.inverse_bin_size.yz;
            float rest2 = radius2 * 1.00001 - dot(gap, gap);
            if (cy < 0 || rest2 <= 0.0) continue;
            float half_line = sqrt(rest2) * grid.inverse_bin_size.x + 1e-3;
            int lo = cell.x + int(floor(inside.x - half_line));
            int hi = cell.x + int(floor(inside.x + half_line));
            add_line(p, grid_segment_index(grid, 0u, uint(cy), uint(cz)), lo, hi);
        }
    }
}

// Returns 1 in a sheet one particle thick, down to 0 elsewhere: at least `least` neighbours lie near a plane,
// in all directions within it.
float sheet_share(vec3 variances, float least, float neighbours)
{
    float longest = max(max(variances.x, variances.y), variances.z);
    float shortest = min(min(variances.x, variances.y), variances.z);
    float middle = variances.x + variances.y + variances.z - longest - shortest;
    float depth = shortest / max(middle, 1e-30), width = middle / max(longest, 1e-30);
    float thin = 1.0 - smoothstep(ANISOTROPY_SHEET_FLAT, ANISOTROPY_SHEET_ROUND, depth);
    return thin * smoothstep(ANISOTROPY_LINE, ANISOTROPY_PLANE, width) *
           smoothstep(ANISOTROPY_SPHERE_BELOW, least, neighbours);
}

// Returns the radii along the axes of the covariance: their ratio is limited to k_r and their product is 1;
// without neighbours, a sphere. `share` is the fraction of a full lattice's weight.
vec3 radii(vec3 variances, float share, float neighbours, float sheet)
{
    vec3 s = variances * fit.inverse_variance;
    float longest = max(max(s.x, s.y), s.z);
    if (!(longest > 1e-6)) return vec3(1.0);
    float sparse = 1.0 - smoothstep(ANISOTROPY_SPARSE, ANISOTROPY_DENSE, share);
    s = log(max(s, longest * fit.inverse_stretch * (1.0 - 0.5 * sheet * sparse)));
    s -= (s.x + s.y + s.z) / 3.0;
    float fitted = max(sheet, smoothstep(ANISOTROPY_SPHERE_BELOW, ANISOTROPY_FREE_FROM, neighbours));
    return min(exp(fitted * s), vec3(ANISOTROPY_AXIS_MAX));
}

// Finds the axes of the covariance and the variances along them, for neighbours with the mean offset `mean`.
void find_axes(vec3 mean, out vec3 variances, out mat3 axes)
{
    vec3 d = diagonal / weight - mean * mean;
    vec3 m = mixed / weight - vec3(mean.x * mean.y, mean.x * mean.z, mean.y * mean.z);
    eigen_symmetric(mat3(d.x, m.x, m.y, m.x, d.y, m.z, m.y, m.z, d.z), ANISOTROPY_SWEEPS, variances, axes);
}

mat3 ellipsoid(mat3 axes, vec3 r)
{
    return mat3(axes[0] * r.x, axes[1] * r.y, axes[2] * r.z) * transpose(axes);
}
#endif
