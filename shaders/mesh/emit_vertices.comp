// Writes the vertices of a surface block, the points on edges where the field is 0, and as their normals the
// gradient of the field there; one workgroup per block.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
BLOCK(state);
READ_ANY(super_blocks);
READ_ANY(children);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(slot_blocks);
READ_ANY(field);
READ_ANY(surface_block_list);
READ_ANY(case_table);
READ_ANY(node_words);
READ_ANY(line_words);
READ_ANY(vertex_counts);
WRITE_ANY(vertices);
WRITE_ANY(normals);
#include "mesh/surface.glsl"

#define SIDE 11u // from the node before the block to the second node of the next block
shared uint neighbour_slots[27];
shared float field_values[SIDE * SIDE * SIDE];
shared uint vertex_end;
// edges with a vertex: node * 4 + axis, or + 3 for a vertex inside the cell
shared uint edge_list[MESH_NODES_PER_BLOCK * 4u];

vec4 origin, origin_low_bits; // of the params, read once

struct vertex {
    vec3 position, normal; // position in cells from the block's first node
};

void load_field(ivec3 block)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 27u) neighbour_slots[me] = mesh_find_slot(block + ivec3(me % 3u, me / 3u % 3u, me / 9u) - 1);
    barrier();
    float outside = params.outside; // read once: CPU drivers load from a buffer lane by lane
    for (uint r = me; r < SIDE * SIDE; r += MESH_WORKGROUP) {
        uint y = r % SIDE + 7u, z = r / SIDE + 7u, k = 3u * (y >> 3) + 9u * (z >> 3);
        uint from = mesh_node_index(uvec3(0u, y & 7u, z & 7u));
        uvec3 line_slots = uvec3(neighbour_slots[k], neighbour_slots[k + 1u], neighbour_slots[k + 2u]);
        for (uint x = 0u; x < SIDE; x++) {
            uint slot = x < 1u ? line_slots.x : x < 9u ? line_slots.y : line_slots.z;
            float value = outside;
            if (slot != MESH_NOT_FOUND) value = field[slot * MESH_NODES_PER_BLOCK + from + (x + 7u & 7u)];
            field_values[r * SIDE + x] = value;
        }
    }
}

// Lists the block's vertices in their order. Returns their number.
uint list_vertices(uint number)
{
    uint me = gl_LocalInvocationIndex, end = 0u;
    uint bits = line_words[number * MESH_LINES_PER_BLOCK + me] >> MESH_LINE_NODES_SHIFT & 0xffu;
    if (me == 0u) vertex_end = 0u;
    barrier();
    while (bits != 0u) {
        uint n = me * 8u + uint(findLSB(bits)), word = node_words[number * MESH_NODES_PER_BLOCK + n];
        end = word >> MESH_WORD_FIRST_SHIFT;
        for (uint k = 0u; k < (RESOLVE_AMBIGUOUS ? 4u : 3u); k++)
            if ((word >> (MESH_WORD_MASK_SHIFT + k) & 1u) != 0u) edge_list[end++] = n * 4u + k;
        bits &= bits - 1u;
    }
    atomicMax(vertex_end, end);
    barrier();
    return vertex_end;
}

vec3 field_gradient(uint at)
{
    return vec3(field_values[at + 1u] - field_values[at - 1u],
                field_values[at + SIDE] - field_values[at - SIDE],
                field_values[at + SIDE * SIDE] - field_values[at - SIDE * SIDE]);
}

#define BEND_MOST 0.5 // of the rise along the edge: a larger bend is a kink

// Returns the position of the field's zero along an edge, as a fraction of it: that of the straight line
// through the field at the two ends, refined by one Newton step on the parabola with the mean of the two
// second differences. Without that step the mesh would lean to one side of every bump, depending on where the
// lattice cuts it. Vertices stay at least a thousandth of a cell away from the nodes, so that no two
// coincide.
float zero_crossing(uint at, uint stride)
{
    uint other = at + stride;
    float rise = field_values[other] - field_values[at], t = -field_values[at] / rise;
    float bend = 0.5 *
                 (field_values[at - stride] - field_values[at] - field_values[other] +
                  field_values[other + stride]) /
                 rise;
    bend = clamp(bend, -BEND_MOST, BEND_MOST);
    t += 0.5 * bend * t * (1.0 - t) / (1.0 - bend * (0.5 - t));
    return clamp(t, 1e-3, 1.0 - 1e-3);
}

vertex edge_vertex(uint at, uint axis)
{
    uint stride = axis == 0u ? 1u : axis == 1u ? SIDE : SIDE * SIDE, other = at + stride;
    float t = zero_crossing(at, stride);
    vec3 along = vec3(axis == 0u, axis == 1u, axis == 2u);
    vec3 n = NORMALS ? mix(field_gradient(at), field_gradient(other), t) : vec3(0.0);
    vec3 node = vec3(at % SIDE, at / SIDE % SIDE, at / (SIDE * SIDE)) - 1.0;
    float size = length(n);
    return vertex(node + t * along, size > 1e-20 ? n / size : (field_values[at] < 0.0 ? along : -along));
}

// Returns the mean of the vertices around a cell, for cells whose surface needs a vertex inside.
vertex centre_vertex(uint at, uint entry)
{
    uint entry_word = case_table[MESH_CASES + entry];
    uint first = entry_word & 0xffffu, count = entry_word >> MESH_TABLE_COUNT_SHIFT & 0xffu, used = 0u;
    vertex mean = vertex(vec3(0.0), vec3(0.0));
    for (uint k = first; k < first + count; k++) {
        uint corners = case_table[MESH_CASES + MESH_TABLE_ENTRIES + k];
        if ((corners >> 8) != MESH_CENTRE_VERTEX) continue;
        uint edge = corners & 15u;
        uvec3 low = mesh_edge_start(edge);
        vertex v = edge_vertex(at + low.x + SIDE * (low.y + SIDE * low.z), edge >> 2);
        mean.position += v.position;
        mean.normal += v.normal;
        used++;
    }
    mean.position /= float(used);
    float size = length(mean.normal);
    mean.normal = size > 1e-6 ? mean.normal / size : vec3(0.0, 1.0, 0.0);
    return mean;
}

void write_vertex(uint id, vertex v, vec3 base)
{
    vec3 p = origin.xyz + (origin_low_bits.xyz + (base + v.position) * origin.w);
    for (uint axis = 0u; axis < 3u; axis++) {
        vertices[id * 3u + axis] = p[axis];
        if (NORMALS) normals[id * 3u + axis] = v.normal[axis];
    }
}

void main()
{
    uint number = workgroup_index(), me = gl_LocalInvocationIndex;
    if (number >= state.surface_count || !mesh_output_fits(params, state)) return;
    uint block = slot_blocks[surface_block_list[number]];
    if (!mesh_in_batch(block)) return;
    ivec3 corner_block = blocks[block].xyz;
    load_field(corner_block);
    uint first = vertex_counts[number], count = list_vertices(number);
    origin = params.origin;
    origin_low_bits = params.origin_low_bits;
    uint i = me;
    do {
        if (i >= count) break;
        uint n = edge_list[i] >> 2, axis = edge_list[i] & 3u;
        uint at = 1u + (n & 7u) + SIDE * (1u + (n >> 3 & 7u) + SIDE * (1u + (n >> 6)));
        if (RESOLVE_AMBIGUOUS && axis == 3u)
            write_vertex(first + i,
                         centre_vertex(at, node_words[number * MESH_NODES_PER_BLOCK + n] & MESH_WORD_ENTRY),
                         vec3(corner_block * 8));
        else
            write_vertex(first + i, edge_vertex(at, axis), vec3(corner_block * 8));
        i += MESH_WORKGROUP;
    } while (i < count);
}
