// Writes the triangles of a surface block. Each corner is the vertex of an edge, whose node may belong to a
// block towards +x, +y, +z.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(supers);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(seats);
READ_ANY(seat_blocks);
READ_ANY(surface);
READ_ANY(surface_list);
READ_ANY(table);
READ_ANY(nodes);
READ_ANY(lines);
READ_ANY(triangle_counts);
READ_ANY(vertex_base);
WRITE_ANY(indices);
#include "mesh/surface.glsl"

#define WINDOW 1024u // triangles that are listed at a time
shared uint around_number[8], around_base[8];
shared uint listed[WINDOW]; // node << 16 | triangle of the case table

void look_around(ivec3 at)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) {
        uint block = mesh_find_block(at + ivec3(me & 1u, me >> 1 & 1u, me >> 2));
        uint seat = block == MESH_NONE ? 0u : seats[block];
        around_number[me] = surface[seat];
        around_base[me] = block == MESH_NONE ? 0u : vertex_base[block];
    }
    barrier();
}

uint edge_id(uvec3 cell, uint edge)
{
    bool centre = edge == MESH_CENTRE;
    uint bit = centre ? 3u : edge >> 2;
    uvec3 c = cell + (centre ? uvec3(0u) : mesh_edge_low(edge)), b = c >> 3;
    uint k = b.x | b.y << 1 | b.z << 2;
    uint word = nodes[around_number[k] * MESH_NODES + mesh_node_index(c & 7u)];
    uint below = word >> MESH_WORD_MASK_SHIFT & ((1u << bit) - 1u);
    uint total = params.whole != 0u ? state.vertex_count : 0u;
    return around_base[k] + total + (word >> MESH_WORD_FIRST_SHIFT) + bitCount(below);
}

uint entry_word(uint word) { return table[MESH_CASES + (word & MESH_WORD_ENTRY)]; }

// Lists the triangles numbered low to low + WINDOW - 1 in the block.
void list_triangles(uint number, uint low)
{
    uint me = gl_LocalInvocationIndex, word = lines[number * MESH_LINES + me];
    uint at = word >> MESH_LINE_FIRST_SHIFT, cells = word & 0xffu;
    while (cells != 0u) {
        uint n = me * 8u + uint(findLSB(cells));
        uint entry = entry_word(nodes[number * MESH_NODES + n]);
        uint k = entry & 0xffffu, last = k + (entry >> MESH_TABLE_COUNT_SHIFT & 0xffu);
        do {
            if (at - low < WINDOW) listed[at - low] = n << 16 | k;
            at++;
            k++;
        } while (k < last);
        cells &= cells - 1u;
    }
}

void write_triangle(uint at, uint item)
{
    uint corners = table[MESH_CASES + MESH_TABLE_ENTRIES + (item & 0xffffu)];
    uvec3 cell = uvec3(mesh_node(item >> 16));
    for (uint c = 0u; c < 3u; c++) indices[at * 3u + c] = edge_id(cell, corners >> (4u * c) & 15u);
}

void main()
{
    uint number = row_group(), me = gl_LocalInvocationIndex;
    if (number >= state.surface_count || !mesh_fits(params, state)) return;
    uint block = seat_blocks[surface_list[number]];
    if (!mesh_own(block)) return;
    look_around(blocks[block].xyz);
    uint first = triangle_counts[number], all = triangle_counts[number + 1u] - first;
    for (uint low = 0u; low < all; low += WINDOW) {
        list_triangles(number, low);
        barrier();
        uint i = me, count = min(all - low, WINDOW);
        do {
            if (i >= count) break;
            write_triangle(first + low + i, listed[i]);
            i += MESH_WORKGROUP;
        } while (i < count);
        barrier();
    }
}
