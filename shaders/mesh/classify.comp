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
layout(std430, binding = MESH_BIND_TRIANGLE_COUNTS) writeonly buffer tcounts_block { uint triangle_counts[]; };
#include "mesh_find.glsl"
#include "mesh_place.glsl"
#include "mesh_surface.glsl"

#define SIDE 9u
shared uint around[8];
shared float phi[SIDE * SIDE * SIDE];

void load_field(ivec3 block)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) around[me] = mesh_find_place(block + ivec3(me & 1u, me >> 1 & 1u, me >> 2));
    barrier();
    for (uint k = me; k < SIDE * SIDE * SIDE; k += MESH_WORKGROUP) {
        uvec3 c = uvec3(k % SIDE, k / SIDE % SIDE, k / (SIDE * SIDE)), b = c >> 3;
        uint place = around[b.x | b.y << 1 | b.z << 2];
        phi[k] = place == MESH_NONE ? params.outside
                                    : field[place * MESH_NODES + mesh_node_index(c & 7u)];
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

// The entry of the case table for the cell at node `at`.
uint cell_entry(uint at)
{
    uint inside = 0u;
    for (uint corner = 0u; corner < 8u; corner++)
        inside |= phi[corner_at(at, corner)] < 0.0 ? 1u << corner : 0u;
    uint base = table[inside], entry = base & 0xffffu;
    if (!DECIDER) return entry;
    uint place = 0u;
    for (uint faces = base >> 16; faces != 0u; faces &= faces - 1u)
        entry += (face_joined(at, uint(findLSB(faces)), inside) ? 1u : 0u) << place++;
    return entry;
}

// The word of a node, without the vertices before it.
uint node_word(uint at)
{
    uint entry = cell_entry(at), row_of = table[MESH_CASES + entry];
    bool inside = phi[at] < 0.0;
    uint mask = inside != (phi[at + 1u] < 0.0) ? 1u : 0u;
    mask |= inside != (phi[at + SIDE] < 0.0) ? 2u : 0u;
    mask |= inside != (phi[at + SIDE * SIDE] < 0.0) ? 4u : 0u;
    mask |= (row_of >> MESH_TABLE_CENTRE_BIT & 1u) << 3;
    return entry | mask << MESH_WORD_MASK_SHIFT;
}

void main()
{
    uint number = mesh_group(), me = gl_LocalInvocationIndex;
    if (number >= state.surface_count) return;
    uint block = place_blocks[surface_list[number]];
    load_field(blocks[block].xyz);
    uint words[8], vertices = 0u, triangles = 0u;
    uint at = SIDE * ((me & 7u) + SIDE * (me >> 3));
    for (uint x = 0u; x < 8u; x++) {
        words[x] = node_word(at + x);
        vertices += bitCount(words[x] >> MESH_WORD_MASK_SHIFT);
        triangles += table[MESH_CASES + (words[x] & MESH_WORD_ENTRY)] >> MESH_TABLE_COUNT_SHIFT & 0xffu;
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
