// Fits an ellipsoid to the neighbourhood of each point (Yu and Turk 2013, equations 6 to 16): the weighted
// covariance of a point's neighbours, in one loop over the bins around it; its axes; a centre moved towards
// the neighbours' mean. One invocation per point.
// Four things differ from the paper. Lengths are in units of a full lattice's covariance, so k_s is not a
// user parameter. The volume is kept. The offset of the mean at a flat surface is subtracted, so that fluid
// never shrinks. A sheet one particle thick stays closed where it is stretched. Results are in the points'
// original order.
#version 460
#include "bindings/grid.glsl"

BLOCK(grid);
BLOCK(state);
READ_TEXELS(sorted_points);
READ_ANY(segments);
READ_ANY(bin_starts);
BLOCK(fit);
READ_ANY(sort_sources);
WRITE_ANY(centres);
WRITE_ANY(shapes);

#include "neighbours/anisotropy.glsl"

vec3 smoothed(vec3 p, vec3 mean)
{
    float size = length(mean);
    float flat_share = fit.flat_offset * smoothstep(0.5, 1.0, size / fit.flat_offset);
    return p + fit.smoothing * mean * (1.0 - flat_share / max(size, 1e-30));
}

void main()
{
    uint i = invocation_index();
    if (i >= state.live) return;
    vec3 p = TEXEL(sorted_points, i).xyz, variances;
    mat3 axes;
    add_neighbours(p, 1.0);
    vec3 mean = first / weight;
    find_axes(mean, variances, axes);
    float sheet = sheet_share(variances, ANISOTROPY_SHEET_FROM, count), share = weight * fit.inverse_weight;
    vec3 r = radii(variances, share, count, sheet);
    mat3 a = ellipsoid(axes, r);
    uint to = sort_sources[i];
    share = max(share, ANISOTROPY_SHEET_FILL * sheet);
    centres[to] = vec4(smoothed(p, mean), min(share, 1.0));
    shapes[2u * to] = vec4(a[0][0], a[0][1], a[0][2], a[1][1]);
    shapes[2u * to + 1u] = vec4(a[1][2], a[2][2], count, r.x * r.y * r.z);
}
