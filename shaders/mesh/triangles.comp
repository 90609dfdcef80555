// Writes the triangles of a surface block: each corner is the vertex of an edge, whose node may belong to
// a block towards +x, +y, +z. Reads nodes, rows, surface, triangle_counts (scanned), vertex_base, the case
// table; writes indices.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_STATE) readonly buffer state_block { mesh_state state; };
layout(std430, binding = MESH_BIND_SUPERS) readonly buffer supers_block { uint supers[]; };
layout(std430, binding = MESH_BIND_CHILDREN) readonly buffer children_block { uint children[]; };
layout(std430, binding = MESH_BIND_BLOCKS) readonly buffer blocks_block { ivec4 blocks[]; };
layout(std430, binding = MESH_BIND_PLACES) readonly buffer places_block { uint places[]; };
layout(std430, binding = MESH_BIND_PLACE_BLOCKS) readonly buffer list_block { uint place_blocks[]; };
layout(std430, binding = MESH_BIND_SURFACE) readonly buffer surface_block { uint surface[]; };
layout(std430, binding = MESH_BIND_SURFACE_LIST) readonly buffer slist_block { uint surface_list[]; };
layout(std430, binding = MESH_BIND_TABLE) readonly buffer table_block { uint table[]; };
layout(std430, binding = MESH_BIND_NODES) readonly buffer nodes_block { uint nodes[]; };
layout(std430, binding = MESH_BIND_ROWS) readonly buffer rows_block { uint rows[]; };
layout(std430, binding = MESH_BIND_TRIANGLE_COUNTS) readonly buffer tcounts_block { uint triangle_counts[]; };
layout(std430, binding = MESH_BIND_VERTEX_BASE) readonly buffer base_block { uint vertex_base[]; };
layout(std430, binding = MESH_BIND_INDICES) writeonly buffer indices_block { uint indices[]; };
#include "mesh_find.glsl"
#include "mesh_place.glsl"
#include "mesh_surface.glsl"

#define WINDOW 1024u // triangles that are listed at a time
shared uint around_number[8], around_base[8];
shared uint listed[WINDOW]; // node << 16 | triangle of the case table

void look_around(ivec3 at)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) {
        uint block = mesh_find_block(at + ivec3(me & 1u, me >> 1 & 1u, me >> 2));
        uint place = block == MESH_NONE ? 0u : places[block];
        around_number[me] = surface[place];
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
    return around_base[k] + params.vertex_total + (word >> MESH_WORD_FIRST_SHIFT) + bitCount(below);
}

uint entry_row(uint word) { return table[MESH_CASES + (word & MESH_WORD_ENTRY)]; }

// Lists the triangles numbered low to low + WINDOW - 1 in the block.
void list_triangles(uint number, uint low)
{
    uint me = gl_LocalInvocationIndex, word = rows[number * MESH_ROWS + me];
    uint at = word >> MESH_ROW_FIRST_SHIFT, cells = word & 0xffu;
    while (cells != 0u) {
        uint n = me * 8u + uint(findLSB(cells));
        uint row_of = entry_row(nodes[number * MESH_NODES + n]);
        uint k = row_of & 0xffffu, last = k + (row_of >> MESH_TABLE_COUNT_SHIFT & 0xffu);
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
    uint number = mesh_group(), me = gl_LocalInvocationIndex;
    if (number >= state.surface_count) return;
    uint block = place_blocks[surface_list[number]];
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
