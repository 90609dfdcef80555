// Attributes at the vertices of a surface block: the mean over the particles in reach, with the field's
// weights; for ellipsoids, with the weights of balls as wide as the longest axis. As in the field,
// 8 invocations work on each 4^3 part of the block, here on 32 vertices at a time.
#version 460
#include "bindings/mesh.glsl"
#include "mesh/field_kernels.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(supers);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(seat_blocks);
READ_ANY(surface_list);
READ_ANY(nodes);
READ_ANY(lines);
READ_ANY(vertex_counts);
READ_ANY(bins);
READ_TEXELS(particles);
READ_TEXELS(values);
READ_ANY(vertices);
WRITE_ANY(results);
#define SORTED(i) TEXEL(particles, i)
#define WALK_REACH2(p) (params.reach * params.reach)
#define WALK_LIST 16u
#define WALK_EXTENT 4.0 // vertices lie up to a cell beyond their nodes
#include "mesh/candidates.glsl"

#define EACH 4u // vertices of one invocation
shared uint part_count[8];
shared uint part_list[8][MESH_NODES / 8u * 4u / 2u]; // number of each vertex in the block, two a word

vec3 point[EACH];
vec4 sum[EACH];
float weight[EACH];

// Sorts the block's vertices into its parts; their order does not matter.
void list_parts(uint number)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) part_count[me] = 0u;
    for (uint k = me; k < 8u * MESH_NODES / 4u; k += MESH_WORKGROUP) part_list[k % 8u][k / 8u] = 0u;
    barrier();
    uint bits = lines[number * MESH_LINES + me] >> MESH_LINE_NODES_SHIFT & 0xffu;
    while (bits != 0u) {
        uint x = uint(findLSB(bits)), word = nodes[number * MESH_NODES + me * 8u + x];
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

void add_round(vec3 base, uint part)
{
    float inverse = 1.0 / params.reach;
    for (uint l = part * 8u; l < part * 8u + 8u; l++) {
        uint count = walk_count[l], c = 0u;
        do {
            if (c >= count) break;
            uint i = walk_list[l * WALK_LIST + c];
            vec4 p = SORTED(i), value = TEXEL(values, i);
            float factor = KIND == MESH_ANISOTROPIC ? min(p.w, 1.0) : p.w; // there a radius, 1 or more, or 0
            p.xyz -= base;
            for (uint k = 0u; k < EACH; k++) {
                vec3 d = point[k] - p.xyz;
                float r2 = dot(d, d);
                float w = factor * (KIND == MESH_ZHU_BRIDSON ? mesh_blob(r2, inverse * inverse)
                                                             : mesh_spline(r2, inverse));
                weight[k] += w;
                sum[k] += w * value;
            }
            c++;
        } while (c < count);
    }
}

uint listed(uint part, uint at) { return part_list[part][at / 2u] >> 16u * (at & 1u) & 0xffffu; }

// The k-th vertex of this invocation in the part's list.
uint vertex_at(uint low, uint k) { return low + k * 8u + gl_LocalInvocationIndex % 8u; }

void main()
{
    uint number = row_group(), me = gl_LocalInvocationIndex, part = me / 8u, most = 0u;
    if (number >= state.surface_count || !mesh_fits(params, state)) return;
    uint block = seat_blocks[surface_list[number]];
    if (block < params.slab_first || block >= params.slab_end) return;
    ivec3 corner_block = blocks[block].xyz;
    uvec3 corner = uvec3(part & 1u, part >> 1 & 1u, part >> 2);
    vec3 base = vec3(corner_block * 8);
    uint before = vertex_counts[number];
    list_parts(number);
    for (uint k = 0u; k < 8u; k++) most = max(most, part_count[k]);
    for (uint low = 0u; low < most; low += 8u * EACH) {
        for (uint k = 0u; k < EACH; k++) {
            uint at = vertex_at(low, k);
            uint id = 3u * (before + listed(part, at < part_count[part] ? at : 0u));
            vec3 p = at < part_count[part] ? vec3(vertices[id], vertices[id + 1u], vertices[id + 2u])
                                           : params.origin.xyz;
            point[k] = mesh_lattice(params, p) - base;
            sum[k] = vec4(0.0);
            weight[k] = 0.0;
        }
        walk_begin(corner_block, corner, me % 8u);
        bool more = true;
        for (uint turn = 0u; more; turn++) {
            more = walk_round(turn, corner, base);
            add_round(base, part);
            barrier();
        }
        for (uint k = 0u; k < EACH; k++) {
            uint at = vertex_at(low, k);
            if (at < part_count[part])
                results[before + listed(part, at)] = weight[k] > 0.0 ? sum[k] / weight[k] : vec4(0.0);
        }
        barrier();
    }
}
