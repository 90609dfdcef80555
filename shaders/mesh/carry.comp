// Attributes at the vertices: the mean over the particles in reach, with the field's weights; of
// ellipsoids with those of balls as wide as the longest.
// Reads vertices, bins, weighted particles and their values; writes results.
#version 460
#include "row.glsl"
#include "mesh.glsl"
#include "mesh_kernel.glsl"
#include "gather.glsl"

layout(constant_id = 1) const uint KIND = MESH_ZHU_BRIDSON;

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_STATE) readonly buffer state_block { mesh_state state; };
layout(std430, binding = MESH_BIND_SUPERS) readonly buffer supers_block { uint supers[]; };
layout(std430, binding = MESH_BIND_CHILDREN) readonly buffer children_block { uint children[]; };
layout(std430, binding = MESH_BIND_BINS) readonly buffer bins_block { uint bins[]; };
GATHER_BLOCK(MESH_BIND_SORTED, sorted);
GATHER_BLOCK(MESH_BIND_VALUES, values);
layout(std430, binding = MESH_BIND_VERTICES) readonly buffer vertices_block { float vertices[]; };
layout(std430, binding = MESH_BIND_RESULTS) writeonly buffer results_block { vec4 results[]; };
#define SORTED(i) GATHERED(sorted, i)
#include "mesh_find.glsl"
#include "mesh_near.glsl"

void add_bin(ivec3 bin, vec3 q, inout vec4 sum, inout float weight)
{
    uvec2 range = mesh_bin_range(bin);
    float inverse = 1.0 / params.reach;
    for (uint k = range.x; k < range.y; k++) {
        vec4 p = SORTED(k);
        vec3 d = q - p.xyz;
        float r2 = dot(d, d);
        float w = KIND == MESH_ZHU_BRIDSON ? mesh_blob(r2, inverse * inverse) : mesh_spline(r2, inverse);
        w *= KIND == MESH_ANISOTROPIC ? min(p.w, 1.0) : p.w; // there a radius, at least 1 or 0
        weight += w;
        sum += w * GATHERED(values, k);
    }
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.vertex_count) return;
    vec3 q = mesh_lattice(params, vec3(vertices[3u * i], vertices[3u * i + 1u], vertices[3u * i + 2u]));
    ivec3 low = mesh_bin_low(q), high = mesh_bin_high(q), bin;
    vec4 sum = vec4(0.0);
    float weight = 0.0;
    for (bin.z = low.z; bin.z <= high.z; bin.z++)
        for (bin.y = low.y; bin.y <= high.y; bin.y++)
            for (bin.x = low.x; bin.x <= high.x; bin.x++) add_bin(bin, q, sum, weight);
    results[i - row.first] = weight > 0.0 ? sum / weight : vec4(0.0);
}
