// Writes the ellipsoids in sorted order; one invocation per particle: G / h, the inverse of the matrix whose
// eigenvalues are the radii, in cells; the weight V_j det G_j / det(1 / h); and the longest radius, by which
// candidates are selected. weighted.w: volume, 0 for spray; ellipsoid_centres.w: longest radius.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(sort_sources);
READ_ANY(weighted);
READ_ANY(shapes);
WRITE_ANY(ellipsoid_centres);
WRITE_ANY(sorted_shapes);

void main()
{
    uint t = invocation_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    vec4 p = weighted[t], a = shapes[2u * sort_sources[t]], b = shapes[2u * sort_sources[t] + 1u];
    float xx = a.x, xy = a.y, xz = a.z, yy = a.w, yz = b.x, zz = b.y;
    // The adjugate, to be divided by the determinant.
    vec3 diagonal = vec3(yy * zz - yz * yz, xx * zz - xz * xz, xx * yy - xy * xy);
    vec3 off = vec3(xz * yz - xy * zz, xy * yz - xz * yy, xy * xz - xx * yz); // xy xz yz
    float determinant = xx * diagonal.x + xy * off.x + xz * off.y;
    float scale = 1.0 / (determinant * params.kernel);
    // Gershgorin: no eigenvalue exceeds the largest sum of the absolute values in a row of the matrix.
    vec3 sums = abs(vec3(xx, xy, xz)) + abs(vec3(xy, yy, yz)) + abs(vec3(xz, yz, zz));
    float longest = min(max(sums.x, max(sums.y, sums.z)) * params.kernel, params.reach);
    ellipsoid_centres[t] = vec4(p.xyz, p.w > 0.0 ? max(longest, 1.0) : 0.0);
    sorted_shapes[2u * t] = vec4(diagonal.x, off.x, off.y, diagonal.y) * scale;
    sorted_shapes[2u * t + 1u] = vec4(off.z * scale, diagonal.z * scale, p.w / determinant, 0.0);
}
