// Computes the weight of every particle in the field (weighted.w): for colour fields its volume by the
// field's own kernel, V = 1 / sum of W. A particle with fewer neighbours than the mesher's def requires is
// spray, with weight 0 in the surface. One invocation per particle.
#version 460
#include "bindings/mesh.glsl"
#include "mesh/field_kernels.glsl"

BLOCK(params);
ATOMIC(state);
READ_ANY(super_blocks);
READ_ANY(children);
READ_ANY(bins);
READ_OWN(sort_sources);
READ_TEXELS(sorted_positions);
WRITE_OWN(weighted);
WRITE_ANY(neighbours);
#define SORTED(i) TEXEL(sorted_positions, i)

#include "mesh/bins.glsl"

void sum_bin(ivec3 bin, vec3 p, float reach2, inout float sum, inout uint count)
{
    uvec2 range = mesh_bin_range(bin);
    float inverse = 1.0 / params.kernel;
    for (uint k = range.x; k < range.y; k++) {
        vec3 d = p - SORTED(k).xyz;
        float r2 = dot(d, d);
        sum += mesh_weight_spline(r2, inverse);
        count += r2 < reach2 ? 1u : 0u;
    }
}

void main()
{
    uint t = pass.first + invocation_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    vec3 p = SORTED(t).xyz;
    float sum = 0.0, reach2 = params.kernel * params.kernel;
    uint count = 0u; // includes the particle itself
    ivec3 low = mesh_min_bin(p), high = mesh_max_bin(p);
    ivec3 bin;
    for (bin.z = low.z; bin.z <= high.z; bin.z++)
        for (bin.y = low.y; bin.y <= high.y; bin.y++)
            for (bin.x = low.x; bin.x <= high.x; bin.x++) sum_bin(bin, p, reach2, sum, count);
    bool is_spray = count < params.spray_neighbours + 1u;
    if (is_spray) atomicAdd(state.spray_count, 1u);
    neighbours[sort_sources[t]] = count - 1u;
    float weight = KIND == MESH_ZHU_BRIDSON ? 1.0 : 1.0 / sum;
    weighted[t - pass.first] = vec4(p, is_spray ? 0.0 : weight);
}
