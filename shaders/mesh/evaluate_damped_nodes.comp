// Shrinks the particle radius where the mean position changes fast from node to node: between two bodies of
// fluid, where Zhu and Bridson's field would grow a sheet. One workgroup per block. Solenthaler, Schlaefli
// and Pajarola 2007: r f, f = g^3 - 3 g^2 + 3 g, g = (3.5 - e) / (3.5 - 0.4) clamped to 0 and 1, e the
// largest eigenvalue of the mean's Jacobian (here of its symmetric part).
//
// With t = 1 - s^2, u = x_j - x and sums weighted by w_j:
// W = sum t^3, mean - x = sum t^3 u / W, J = (6 / R^2) (sum t^2 u u^T - (mean - x) (sum t^2 u)^T) / W.
//
// Changes the field only at the nodes in `damped_nodes`.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(super_blocks);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(bins);
READ_TEXELS(particles);
READ_ANY(slot_blocks);
WRITE_ANY(field);
ATOMIC(block_signs);
READ_ANY(damped_nodes);
#define SORTED(i) TEXEL(particles, i)
#define CANDIDATE_EXTENT 3.0
#define CANDIDATE_LIST 1u // the rounds are not used
#include "mesh/candidates.glsl"

shared uint damped_words[16];
shared uint damped_list[MESH_NODES_PER_BLOCK];

struct moment_sums {
    float weight;
    vec3 shift, slope;           // sum t^3 u, sum t^2 u
    vec3 square, product;        // sum t^2 u u^T: xx yy zz, yz zx xy
};

void add_candidate(inout moment_sums s, vec3 u, float factor, float inverse2)
{
    float t = max(1.0 - dot(u, u) * inverse2, 0.0), t2 = factor * t * t;
    s.weight += t2 * t;
    s.shift += t2 * t * u;
    s.slope += t2 * u;
    s.square += t2 * u * u;
    s.product += t2 * u.yzx * u.zxy;
}

// Adds the batch of particles that begins at `first`; `end`: where the bin ends.
void add_batch(inout moment_sums s, vec3 x, float inverse2, uint first, uint end)
{
#ifdef WEIR_TEXELS // lavapipe takes a third longer for an array of one particle
    vec4 p = SORTED(first);
    add_candidate(s, p.xyz - x, p.w, inverse2);
#else
    vec4 p[CANDIDATE_BATCH];
    for (uint k = 0u; k < CANDIDATE_BATCH; k++) p[k] = SORTED(candidate_in_batch(first, k, end));
    for (uint k = 0u; k < CANDIDATE_BATCH; k++)
        add_candidate(s, p[k].xyz - x, candidate_is_past_end(first, k, end) ? 0.0 : p[k].w, inverse2);
#endif
}

// Returns the largest eigenvalue of a symmetric matrix (Smith 1961).
float largest_eigenvalue(vec3 diagonal, vec3 off)
{
    float mean = (diagonal.x + diagonal.y + diagonal.z) / 3.0;
    vec3 d = diagonal - mean;
    float spread = sqrt((dot(d, d) + 2.0 * dot(off, off)) / 6.0);
    if (spread < 1e-6) return mean;
    vec3 b = d / spread, o = off / spread;
    float determinant = b.x * (b.y * b.z - o.x * o.x) - o.z * (o.z * b.z - o.x * o.y) +
                        o.y * (o.z * o.x - b.y * o.y);
    float angle = acos(clamp(0.5 * determinant, -1.0, 1.0)) / 3.0;
    return mean + 2.0 * spread * cos(angle);
}

float field_with_damping(moment_sums s, float inverse2)
{
    vec3 shift = s.shift / s.weight;
    float c = 6.0 * inverse2 / s.weight;
    vec3 diagonal = c * (s.square - shift * s.slope);
    vec3 off = c * (s.product - 0.5 * (shift.yzx * s.slope.zxy + shift.zxy * s.slope.yzx));
    float e = largest_eigenvalue(diagonal, off);
    float g = clamp((3.5 - e) / 3.1, 0.0, 1.0);
    return length(shift) - params.radius * (g * (g * (g - 3.0) + 3.0));
}

float node_field(uvec3 node, vec3 base)
{
    moment_sums s = moment_sums(0.0, vec3(0.0), vec3(0.0), vec3(0.0), vec3(0.0));
    float inverse2 = 1.0 / (params.reach * params.reach);
    uint bins_left = candidate_window * candidate_window * candidate_window;
    vec3 x = base + vec3(node);
    for (uint k = 0u; k < bins_left; k++) {
        uint bin = candidate_bin_number(k, node >> 2);
        uint first = candidate_first[bin], last = candidate_last[bin];
        for (uint j = first; j < last; j += CANDIDATE_BATCH) add_batch(s, x, inverse2, j, last);
    }
    return field_with_damping(s, inverse2);
}

// Lists the nodes whose bits are set and returns their number. Their order does not matter, because each node
// is computed independently.
uint list_nodes(uint me)
{
    if (me < 16u) {
        uint before = 0u;
        for (uint k = 0u; k < me; k++) before += bitCount(damped_words[k]);
        for (uint bits = damped_words[me]; bits != 0u; bits &= bits - 1u)
            damped_list[before++] = me * 32u + uint(findLSB(bits));
    }
    uint total = 0u;
    for (uint k = 0u; k < 16u; k++) total += bitCount(damped_words[k]);
    return total;
}

void main()
{
    uint slot = workgroup_index(), me = gl_LocalInvocationIndex;
    if (slot >= state.slot_count) return;
    if (me < 16u) damped_words[me] = damped_nodes[slot * 16u + me];
    barrier();
    uint total = list_nodes(me);
    barrier();
    if (total == 0u) return;
    ivec3 block = blocks[slot_blocks[slot]].xyz;
    candidate_search_begin(block, uvec3(0u), 0u);
    for (uint i = me; i < total; i += MESH_WORKGROUP) {
        uint n = damped_list[i];
        float phi = node_field(uvec3(mesh_node_coordinates(n)), vec3(block * 8));
        field[slot * MESH_NODES_PER_BLOCK + n] = phi;
        if (phi >= 0.0) atomicOr(block_signs[slot], MESH_HAS_OUTSIDE);
    }
}
