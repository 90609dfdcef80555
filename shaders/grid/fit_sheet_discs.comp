// Fits discs to sheets one particle thick whose particles are so far apart that fit_ellipsoids.comp, which
// runs before, finds few neighbours; one invocation per point. A point with few neighbours searches a larger
// sphere; if the points in it lie near a plane, on all sides of it, the point becomes a flat disc in that
// plane. No paper describes this; docs/rendering.md has figures.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
BLOCK(state);
READ_TEXELS(sorted_points);
READ_ANY(segments);
READ_ANY(bin_starts);
BLOCK(fit);
READ_ANY(sort_sources);
UPDATE_ANY(centres);
UPDATE_ANY(shapes);

#include "neighbours/anisotropy.glsl"

void main()
{
    uint i = invocation_index();
    if (i >= state.live) return;
    uint to = sort_sources[i];
    float share = centres[to].w;
    if (share >= ANISOTROPY_SPARSE) return;
    vec3 variances;
    mat3 axes;
    add_neighbours(TEXEL(sorted_points, i).xyz, fit.sheet_reach);
    vec3 mean = first / weight;
    find_axes(mean, variances, axes);
    float sheet = sheet_share(variances, ANISOTROPY_WIDE_FROM, count) *
                  (1.0 - smoothstep(ANISOTROPY_WIDE_ALONE, ANISOTROPY_SPARSE, share)) *
                  (1.0 - smoothstep(ANISOTROPY_INNER, ANISOTROPY_RIM, length(mean) * inverse_radius));
    if (sheet <= 0.0) return;
    vec4 s = shapes[2u * to], t = shapes[2u * to + 1u];
    mat3 a = (1.0 - sheet) * mat3(s.x, s.y, s.z, s.y, s.w, t.x, s.z, t.x, t.y) +
             sheet * ellipsoid(axes, radii(variances, share, count, 1.0));
    centres[to].w = max(share, ANISOTROPY_SHEET_FILL * sheet);
    shapes[2u * to] = vec4(a[0][0], a[0][1], a[0][2], a[1][1]);
    shapes[2u * to + 1u] = vec4(a[1][2], a[2][2], t.z, determinant(a));
}
