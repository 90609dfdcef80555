// Interpolates attributes at the vertices of a surface block: the mean over the particles in reach, with the
// field's weights; for ellipsoids, with the weights of balls as wide as the longest axis. One workgroup per
// block. As in evaluate_field.comp, 16 invocations work on each 4^3 part of the block, here on 32 vertices at
// a time.
#version 460
#define WORKGROUP MESH_WIDE_WORKGROUP
#define TEXELS_WORKGROUP MESH_TEXELS_WORKGROUP
#include "bindings/mesh.glsl"
#include "mesh/field_kernels.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(super_blocks);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(slot_blocks);
READ_ANY(surface_block_list);
READ_ANY(node_words);
READ_ANY(line_words);
READ_ANY(vertex_counts);
READ_ANY(bins);
READ_TEXELS(particles);
READ_TEXELS(particle_values);
READ_ANY(vertices);
WRITE_ANY(vertex_values);
#define SORTED(i) TEXEL(particles, i)
#define CANDIDATE_LIST 16u
#define CANDIDATE_EXTENT 4.0 // vertices lie up to a cell beyond their nodes
#include "mesh/candidates.glsl"

#define VERTICES_PER_PART 32u // vertices that the invocations of a part process at a time
#define VERTICES_PER_INVOCATION (VERTICES_PER_PART / CANDIDATE_PART_LANES)
shared uint part_count[8];
// index of each vertex in the block, two per word
shared uint part_list[8][MESH_NODES_PER_BLOCK / 8u * 4u / 2u];

vec3 point[VERTICES_PER_INVOCATION];
vec4 sum[VERTICES_PER_INVOCATION];
float weight[VERTICES_PER_INVOCATION];

// Sorts the block's vertices into its parts; their order does not matter.
void sort_vertices_by_part(uint number)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) part_count[me] = 0u;
    for (uint k = me; k < 8u * MESH_NODES_PER_BLOCK / 4u; k += gl_WorkGroupSize.x)
        part_list[k % 8u][k / 8u] = 0u;
    barrier();
    uint bits = 0u;
    if (me < MESH_LINES_PER_BLOCK)
        bits = line_words[number * MESH_LINES_PER_BLOCK + me] >> MESH_LINE_NODES_SHIFT & 0xffu;
    while (bits != 0u) {
        uint x = uint(findLSB(bits)), word = node_words[number * MESH_NODES_PER_BLOCK + me * 8u + x];
        uint part = x >> 2 | (me >> 2 & 1u) << 1 | me >> 5 << 2;
        uint first = word >> MESH_WORD_FIRST_SHIFT;
        uint count = bitCount(word >> MESH_WORD_MASK_SHIFT & MESH_WORD_MASK);
        uint at = atomicAdd(part_count[part], count);
        for (uint k = 0u; k < count; k++)
            atomicOr(part_list[part][(at + k) / 2u], first + k << 16u * ((at + k) & 1u));
        bits &= bits - 1u;
    }
    barrier();
}

// Adds one candidate to the invocation's vertices; p.w: its weight.
void add_candidate(vec4 p, vec4 value, float inverse)
{
    for (uint k = 0u; k < VERTICES_PER_INVOCATION; k++) {
        vec3 d = point[k] - p.xyz;
        float r2 = dot(d, d);
        float w = p.w * (KIND == MESH_ZHU_BRIDSON ? mesh_weight_zhu_bridson(r2, inverse * inverse)
                                                  : mesh_weight_spline(r2, inverse));
        weight[k] += w;
        sum[k] += w * value;
    }
}

// Returns particle i relative to the block, with its weight.
vec4 load_candidate(uint i, vec3 base)
{
    vec4 p = SORTED(i);
    // for ellipsoids p.w is a radius, 1 or more, or 0
    return vec4(p.xyz - base, KIND == MESH_ANISOTROPIC ? min(p.w, 1.0) : p.w);
}

#ifdef CANDIDATES_BY_EIGHTS
void add_particle_round_by_eights(vec3 base)
{
    float inverse = 1.0 / params.reach;
    uint count = candidate_join_lists(), c = 0u;
    do {
        if (c >= count) break;
        uint i = candidate_of_lane(c);
        vec4 own = load_candidate(i, base), own_value = TEXEL(particle_values, i);
        own.w = candidate_lane_is_past_end(c) ? 0.0 : own.w;
#define ADD(k) add_candidate(subgroupShuffle(own, k), subgroupShuffle(own_value, k), inverse);
        CANDIDATE_EACH_LANE(ADD)
        c += 8u;
    } while (c < count);
}
#endif

// Adds the batch of candidates that begins at `first`; `end`: where the list ends.
void add_batch(vec3 base, float inverse, uint first, uint end)
{
    vec4 p[CANDIDATE_BATCH], values[CANDIDATE_BATCH];
    for (uint k = 0u; k < CANDIDATE_BATCH; k++) {
        uint i = candidate_list[candidate_in_batch(first, k, end)];
        p[k] = load_candidate(i, base);
        values[k] = TEXEL(particle_values, i);
    }
    for (uint k = 0u; k < CANDIDATE_BATCH; k++) {
        p[k].w = candidate_is_past_end(first, k, end) ? 0.0 : p[k].w;
        add_candidate(p[k], values[k], inverse);
    }
}

void add_particle_round(vec3 base, uint part)
{
#ifdef CANDIDATES_BY_EIGHTS
    if (gl_SubgroupSize == 8u) {
        add_particle_round_by_eights(base);
        return;
    }
#endif
    float inverse = 1.0 / params.reach;
    for (uint l = part * 8u; l < part * 8u + 8u; l++) {
        uint count = candidate_count[l], c = 0u;
        do {
            if (c >= count) break;
            add_batch(base, inverse, l * CANDIDATE_LIST + c, l * CANDIDATE_LIST + count);
            c += CANDIDATE_BATCH;
        } while (c < count);
    }
}

uint vertex_in_part(uint part, uint at) { return part_list[part][at / 2u] >> 16u * (at & 1u) & 0xffffu; }

// Returns the position, in the part's list, of this invocation's k-th vertex.
uint vertex_of_invocation(uint low, uint k)
{
    return low + k * CANDIDATE_PART_LANES + gl_LocalInvocationIndex % CANDIDATE_PART_LANES;
}

void main()
{
    uint number = workgroup_index(), me = gl_LocalInvocationIndex, part = me / CANDIDATE_PART_LANES;
    uint most = 0u;
    if (number >= state.surface_count || !mesh_output_fits(params, state)) return;
    uint block = slot_blocks[surface_block_list[number]];
    if (block < params.batch_first || block >= params.batch_end) return;
    ivec3 corner_block = blocks[block].xyz;
    uvec3 corner = uvec3(part & 1u, part >> 1 & 1u, part >> 2);
    vec3 base = vec3(corner_block * 8);
    uint before = vertex_counts[number];
    sort_vertices_by_part(number);
    for (uint k = 0u; k < 8u; k++) most = max(most, part_count[k]);
    for (uint low = 0u; low < most; low += VERTICES_PER_PART) {
        for (uint k = 0u; k < VERTICES_PER_INVOCATION; k++) {
            uint at = vertex_of_invocation(low, k);
            uint id = 3u * (before + vertex_in_part(part, at < part_count[part] ? at : 0u));
            vec3 p = at < part_count[part] ? vec3(vertices[id], vertices[id + 1u], vertices[id + 2u])
                                           : params.origin.xyz;
            point[k] = mesh_to_lattice(params, p) - base;
            sum[k] = vec4(0.0);
            weight[k] = 0.0;
        }
        candidate_search_begin(corner_block, corner, me % CANDIDATE_PART_LANES);
        if (part_count[part] <= low) candidate_search_skip();
        bool more = true;
        for (uint round_index = 0u; more; round_index++) {
            more = candidate_collect_round(round_index, corner, base);
            add_particle_round(base, part);
            barrier();
        }
        for (uint k = 0u; k < VERTICES_PER_INVOCATION; k++) {
            uint at = vertex_of_invocation(low, k);
            if (at < part_count[part])
                vertex_values[before + vertex_in_part(part, at)] =
                    weight[k] > 0.0 ? sum[k] / weight[k] : vec4(0.0);
        }
        barrier();
    }
}
