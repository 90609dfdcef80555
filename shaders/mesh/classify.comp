// The cells and edges of a surface block: the case of each cell, which of a node's three edges carry a
// vertex, and how many vertices and triangles the block has. A node is inside when its field is below 0,
// nothing else is asked anywhere.
// Reads field and the case table; writes nodes, vertex_counts and triangle_counts.
// DECIDER: on faces with opposite corners inside, the asymptotic decider (Nielson and Hamann 1991) tells
// whether these are joined; without it they never are.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(constant_id = 1) const bool DECIDER = false;

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_STATE) readonly buffer state_block { mesh_state state; };
layout(std430, binding = MESH_BIND_SUPERS) readonly buffer supers_block { uint supers[]; };
layout(std430, binding = MESH_BIND_CHILDREN) readonly buffer children_block { uint children[]; };
layout(std430, binding = MESH_BIND_BLOCKS) readonly buffer blocks_block { ivec4 blocks[]; };
layout(std430, binding = MESH_BIND_PLACES) readonly buffer places_block { uint places[]; };
layout(std430, binding = MESH_BIND_PLACE_BLOCKS) readonly buffer list_block { uint place_blocks[]; };
layout(std430, binding = MESH_BIND_FIELD) readonly buffer field_block { float field[]; };
layout(std430, binding = MESH_BIND_SURFACE_LIST) readonly buffer slist_block { uint surface_list[]; };
layout(std430, binding = MESH_BIND_TABLE) readonly buffer table_block { uint table[]; };
layout(std430, binding = MESH_BIND_NODES) writeonly buffer nodes_block { uint nodes[]; };
layout(std430, binding = MESH_BIND_VERTEX_COUNTS) writeonly buffer vcounts_block { uint vertex_counts[]; };
layout(std430, binding = MESH_BIND_TRIANGLE_COUNTS) writeonly buffer tcounts_block
{
    uint triangle_counts[];
};
#include "mesh_find.glsl"
#include "mesh_place.glsl"
#include "mesh_surface.glsl"

#define SIDE 9u
shared uint around[8];
shared uint insides[SIDE * SIDE]; // a bit for each node of a row
shared float phi[DECIDER ? SIDE * SIDE * SIDE : 1];

// One row of nodes along x for each invocation, and some of the rest.
void load_field(ivec3 block)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) around[me] = mesh_find_place(block + ivec3(me & 1u, me >> 1 & 1u, me >> 2));
    barrier();
    for (uint r = me; r < SIDE * SIDE; r += MESH_WORKGROUP) {
        uint y = r % SIDE, z = r / SIDE, k = (y >> 3) << 1 | (z >> 3) << 2, bits = 0u;
        uint from = mesh_node_index(uvec3(0u, y & 7u, z & 7u)), near = around[k], far = around[k | 1u];
        for (uint x = 0u; x < SIDE; x++) {
            uint place = x < 8u ? near : far;
            float value = params.outside;
            if (place != MESH_NONE) value = field[place * MESH_NODES + from + (x & 7u)];
            bits |= value < 0.0 ? 1u << x : 0u;
            if (DECIDER) phi[r * SIDE + x] = value;
        }
        insides[r] = bits;
    }
    barrier();
}

uint corner_at(uint at, uint corner)
{
    return at + (corner & 1u) + SIDE * ((corner >> 1 & 1u) + SIDE * (corner >> 2));
}

// Are the inside corners of an ambiguous face joined? Both cells at the face compare the same products.
bool face_joined(uint at, uint face, uint inside)
{
    uint axis = face >> 1, u = 1u << (axis + 1u) % 3u, v = 1u << (axis + 2u) % 3u;
    uint base = (face & 1u) << axis;
    precise float straight = phi[corner_at(at, base)] * phi[corner_at(at, base | u | v)];
    precise float crossed = phi[corner_at(at, base | u)] * phi[corner_at(at, base | v)];
    return (inside >> base & 1u) != 0u ? straight > crossed : crossed > straight;
}

// The entry of the case table for the cell at node `at` with those corners inside.
uint cell_entry(uint at, uint inside)
{
    uint base = table[inside], entry = base & 0xffffu;
    if (!DECIDER) return entry;
    uint place = 0u;
    for (uint faces = base >> 16; faces != 0u; faces &= faces - 1u)
        entry += (face_joined(at, uint(findLSB(faces)), inside) ? 1u : 0u) << place++;
    return entry;
}

// The word of a node without the vertices before it, and the number of its cell's triangles.
uvec2 node_word(uint at, uint inside)
{
    uint entry = cell_entry(at, inside), row_of = table[MESH_CASES + entry];
    uint other = (inside & 1u) != 0u ? ~inside : inside; // corners not on the node's own side
    uint mask = (other >> 1 & 1u) | (other >> 2 & 1u) << 1 | (other >> 4 & 1u) << 2;
    mask |= (row_of >> MESH_TABLE_CENTRE_BIT & 1u) << 3;
    return uvec2(entry | mask << MESH_WORD_MASK_SHIFT, row_of >> MESH_TABLE_COUNT_SHIFT & 0xffu);
}

void main()
{
    uint number = mesh_group(), me = gl_LocalInvocationIndex;
    if (number >= state.surface_count) return;
    uint block = place_blocks[surface_list[number]];
    load_field(blocks[block].xyz);
    uint words[8], vertices = 0u, triangles = 0u;
    uint r = (me & 7u) + SIDE * (me >> 3);
    uvec4 rows = uvec4(insides[r], insides[r + 1u], insides[r + SIDE], insides[r + SIDE + 1u]);
    for (uint x = 0u; x < 8u; x++, rows >>= 1) {
        uvec4 pair = rows & 3u;
        uvec2 word = node_word(r * SIDE + x, pair.x | pair.y << 2 | pair.z << 4 | pair.w << 6);
        words[x] = word.x;
        vertices += bitCount(word.x >> MESH_WORD_MASK_SHIFT);
        triangles += word.y;
    }
    uint all, before = surface_before(vertices | triangles << 16, all) & 0xffffu;
    for (uint x = 0u; x < 8u; x++) {
        nodes[number * MESH_NODES + me * 8u + x] = words[x] | before << MESH_WORD_FIRST_SHIFT;
        before += bitCount(words[x] >> MESH_WORD_MASK_SHIFT);
    }
    if (me == 0u) {
        vertex_counts[number] = mesh_own(block) ? all & 0xffffu : 0u;
        triangle_counts[number] = mesh_own(block) ? all >> 16 : 0u;
    }
}
