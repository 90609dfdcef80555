// Evaluates the field at the nodes of a block, summed over particles in a fixed order; negative inside. One
// workgroup per block; 16 invocations work on each 4^3 part of it, 4 nodes each, or on CPU drivers 8.
//
// Zhu and Bridson 2005: phi(x) = |x - mean| - r, the mean weighted by (1 - s^2)^3.
// Colour field (Mueller, Charypar and Gross 2003): iso - sum of V_j W(x - x_j).
// With ellipsoids: W(G_j (x - x_j)) det G_j (Yu and Turk 2013).
//
// A particle's w is its weight, or its longest radius with ellipsoids. `damped_nodes` receives the nodes that
// evaluate_damped_nodes.comp processes.
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
READ_ANY(bins);
READ_TEXELS(particles);
READ_ANY(slot_blocks);
WRITE_ANY(field);
WRITE_ANY(block_signs);
WRITE_ANY(damped_nodes);
READ_TEXELS(sorted_shapes);
#define SORTED(i) TEXEL(particles, i)
#define CANDIDATE_EXTENT 3.0
#define CANDIDATE_LIST 32u
#define CANDIDATE_REACH2(p, reach2) (KIND == MESH_ANISOTROPIC ? p.w * p.w : reach2)
#include "mesh/candidates.glsl"

shared uint workgroup_signs, workgroup_damped_nodes[16];

const uint NODES = 64u / CANDIDATE_PART_LANES; // of an invocation: columns of four along z
float weight_sum[NODES];
vec3 position_sum[NODES]; // weighted; Zhu and Bridson only
uint first_column; // columns 0 and 1 are two nodes apart along y

// Adds one candidate to the invocation's nodes. `d`: first node of column 0 minus candidate.
void add_candidate(vec3 d, vec3 p, float factor, float inverse)
{
    float x2 = d.x * d.x;
    for (uint j = 0u; j < NODES / 4u; j++) {
        float y = d.y + 2.0 * float(first_column + j), xy2 = x2 + y * y;
        for (uint k = 0u; k < 4u; k++) {
            float z = d.z + float(k), r2 = xy2 + z * z;
            uint n = j * 4u + k;
            float w = factor * (KIND == MESH_COLOUR_FIELD ? mesh_weight_spline(r2, inverse)
                                                    : mesh_weight_zhu_bridson(r2, inverse * inverse));
            weight_sum[n] += w;
            if (KIND == MESH_ZHU_BRIDSON) position_sum[n] += w * p;
        }
    }
}

// Adds an ellipsoid to the nodes, with |G d| in place of |d| / h.
void add_ellipsoid(vec3 d, vec4 a, vec4 b)
{
    vec3 along_y = vec3(a.y, a.w, b.x), along_z = vec3(a.z, b.x, b.y);
    vec3 at = a.xyz * d.x + along_y * d.y + along_z * d.z;
    for (uint n = 0u; n < NODES; n++) {
        vec3 v = at + along_y * (2.0 * float(first_column + n / 4u)) + along_z * float(n % 4u);
        weight_sum[n] += b.z * mesh_weight_spline(dot(v, v), 1.0);
    }
}

#ifdef CANDIDATES_BY_EIGHTS
void add_particle_round_by_eights(vec3 base, vec3 node)
{
    float inverse = 1.0 / params.reach;
    uint count = candidate_join_lists(), c = 0u;
    do {
        if (c >= count) break;
        vec4 own = SORTED(candidate_of_lane(c));
        own = vec4(own.xyz - base, candidate_lane_is_past_end(c) ? 0.0 : own.w);
#define ADD(k) { vec4 p = subgroupShuffle(own, k); add_candidate(node - p.xyz, p.xyz, p.w, inverse); }
        CANDIDATE_EACH_LANE(ADD)
        c += 8u;
    } while (c < count);
}
#endif

// Adds the batch of candidates that begins at `first`; `end`: where the list ends.
void add_batch(vec3 base, vec3 node, float inverse, uint first, uint end)
{
    uint i[CANDIDATE_BATCH];
    vec4 p[CANDIDATE_BATCH];
    for (uint k = 0u; k < CANDIDATE_BATCH; k++) {
        i[k] = candidate_list[candidate_in_batch(first, k, end)];
        p[k] = SORTED(i[k]);
    }
    for (uint k = 0u; k < CANDIDATE_BATCH; k++) {
        bool past_end = candidate_is_past_end(first, k, end);
        p[k].xyz -= base;
        if (KIND == MESH_ANISOTROPIC) {
            vec4 a = TEXEL(sorted_shapes, 2u * i[k]), b = TEXEL(sorted_shapes, 2u * i[k] + 1u);
            b.z = past_end ? 0.0 : b.z;
            add_ellipsoid(node - p[k].xyz, a, b);
        } else {
            add_candidate(node - p[k].xyz, p[k].xyz, past_end ? 0.0 : p[k].w, inverse);
        }
    }
}

void add_particle_round(vec3 base, vec3 node, uint part)
{
#ifdef CANDIDATES_BY_EIGHTS
    if (KIND != MESH_ANISOTROPIC && gl_SubgroupSize == 8u) {
        add_particle_round_by_eights(base, node);
        return;
    }
#endif
    float inverse = 1.0 / params.reach;
    for (uint l = part * 8u; l < part * 8u + 8u; l++) {
        uint count = candidate_count[l], c = 0u;
        do { // CPU drivers run a loop's body once more than its first test allows
            if (c >= count) break;
            add_batch(base, node, inverse, l * CANDIDATE_LIST + c, l * CANDIDATE_LIST + count);
            c += CANDIDATE_BATCH;
        } while (c < count);
    }
}

float field_at_node(uint n, vec3 node)
{
    if (KIND != MESH_ZHU_BRIDSON) return params.iso - weight_sum[n];
    if (weight_sum[n] <= 0.0) return params.outside;
    return length(node - position_sum[n] / weight_sum[n]) - params.radius;
}

void write_nodes(uint slot, uvec3 first)
{
    uint signs = 0u;
    for (uint n = 0u; n < NODES; n++) {
        uvec3 c = first + uvec3(0u, 2u * (first_column + n / 4u), n % 4u);
        uint at = mesh_node_index(c);
        float phi = field_at_node(n, vec3(c));
        field[slot * MESH_NODES_PER_BLOCK + at] = phi;
        bool inside = phi < 0.0;
        signs |= inside ? MESH_HAS_INSIDE : MESH_HAS_OUTSIDE;
        if (KIND == MESH_ZHU_BRIDSON && inside && weight_sum[n] < params.damping_max_weight)
            atomicOr(workgroup_damped_nodes[at / 32u], 1u << (at % 32u));
    }
    atomicOr(workgroup_signs, signs);
}

void main()
{
    uint slot = workgroup_index(), me = gl_LocalInvocationIndex;
    if (slot >= state.slot_count) return;
    ivec3 block = blocks[slot_blocks[slot]].xyz;
    uint part = me / CANDIDATE_PART_LANES, lane = me % CANDIDATE_PART_LANES;
    uvec3 corner = uvec3(part & 1u, part >> 1 & 1u, part >> 2);
    uvec3 first = corner * 4u + uvec3(lane & 3u, lane >> 2 & 1u, 0u);
    first_column = NODES == 8u ? 0u : lane / 8u;
    vec3 base = vec3(block * 8);
    for (uint n = 0u; n < NODES; n++) {
        weight_sum[n] = 0.0;
        position_sum[n] = vec3(0.0);
    }
    if (me == 0u) workgroup_signs = 0u;
    if (me < 16u) workgroup_damped_nodes[me] = 0u;
    candidate_search_begin(block, corner, lane);
    bool more = true;
    for (uint round_index = 0u; more; round_index++) {
        more = candidate_collect_round(round_index, corner, base);
        add_particle_round(base, vec3(first), part);
        barrier();
    }
    write_nodes(slot, first);
    barrier();
    if (me == 0u) block_signs[slot] = workgroup_signs;
    if (me < 16u) damped_nodes[slot * 16u + me] = workgroup_damped_nodes[me];
}
