// Writes the triangles of a surface block; one workgroup per block. Each corner is the vertex of an edge,
// whose node may belong to a block towards +x, +y, +z.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(super_blocks);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(slot_blocks);
READ_ANY(surface_blocks);
READ_ANY(surface_block_list);
READ_ANY(case_table);
READ_ANY(node_words);
READ_ANY(line_words);
READ_ANY(triangle_counts);
READ_ANY(vertex_base);
WRITE_ANY(indices);
#include "mesh/surface.glsl"

#define LIST_SIZE 1024u // triangles in one batch of the list
shared uint neighbour_surface_blocks[8], neighbour_vertex_bases[8];
shared uint triangle_list[LIST_SIZE]; // node << 16 | triangle of the case table

void load_neighbour_blocks(ivec3 at)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) {
        uint block = mesh_find_block(at + ivec3(me & 1u, me >> 1 & 1u, me >> 2));
        uint slot = block == MESH_NOT_FOUND ? 0u : block_slots[block];
        neighbour_surface_blocks[me] = surface_blocks[slot];
        uint total = params.single_batch != 0u ? state.vertex_count : 0u;
        neighbour_vertex_bases[me] = block == MESH_NOT_FOUND ? 0u : total + vertex_base[block];
    }
    barrier();
}

uint vertex_index(uvec3 cell, uint edge)
{
    bool centre = edge == MESH_CENTRE_VERTEX;
    uint bit = centre ? 3u : edge >> 2;
    uvec3 c = cell + (centre ? uvec3(0u) : mesh_edge_start(edge)), b = c >> 3;
    uint k = b.x | b.y << 1 | b.z << 2;
    uint word = node_words[neighbour_surface_blocks[k] * MESH_NODES_PER_BLOCK + mesh_node_index(c & 7u)];
    uint below = word >> MESH_WORD_MASK_SHIFT & ((1u << bit) - 1u);
    return neighbour_vertex_bases[k] + (word >> MESH_WORD_FIRST_SHIFT) + bitCount(below);
}

uint case_word(uint word) { return case_table[MESH_CASES + (word & MESH_WORD_ENTRY)]; }

// Lists the triangles numbered low to low + LIST_SIZE - 1 in the block.
void list_triangles(uint number, uint low)
{
    uint me = gl_LocalInvocationIndex, word = line_words[number * MESH_LINES_PER_BLOCK + me];
    uint at = word >> MESH_LINE_FIRST_SHIFT, cells = word & 0xffu;
    while (cells != 0u) {
        uint n = me * 8u + uint(findLSB(cells));
        uint entry = case_word(node_words[number * MESH_NODES_PER_BLOCK + n]);
        uint k = entry & 0xffffu, last = k + (entry >> MESH_TABLE_COUNT_SHIFT & 0xffu);
        do {
            if (at - low < LIST_SIZE) triangle_list[at - low] = n << 16 | k;
            at++;
            k++;
        } while (k < last);
        cells &= cells - 1u;
    }
}

void write_triangle(uint at, uint item)
{
    uint corners = case_table[MESH_CASES + MESH_TABLE_ENTRIES + (item & 0xffffu)];
    uvec3 cell = uvec3(mesh_node_coordinates(item >> 16));
    for (uint c = 0u; c < 3u; c++) indices[at * 3u + c] = vertex_index(cell, corners >> (4u * c) & 15u);
}

void main()
{
    uint number = workgroup_index(), me = gl_LocalInvocationIndex;
    if (number >= state.surface_count || !mesh_output_fits(params, state)) return;
    uint block = slot_blocks[surface_block_list[number]];
    if (!mesh_in_batch(block)) return;
    load_neighbour_blocks(blocks[block].xyz);
    uint first = triangle_counts[number], all = triangle_counts[number + 1u] - first;
    for (uint low = 0u; low < all; low += LIST_SIZE) {
        list_triangles(number, low);
        barrier();
        uint i = me, count = min(all - low, LIST_SIZE);
        do {
            if (i >= count) break;
            write_triangle(first + low + i, triangle_list[i]);
            i += MESH_WORKGROUP;
        } while (i < count);
        barrier();
    }
}
