// Classifies the cells and edges of a surface block: the case of each cell, which of a node's three edges
// carry a vertex, and the number of vertices and triangles of the block; one workgroup per block, one
// invocation per line of cells. A node is inside if its field is below 0; every shader uses this same
// comparison.
//
// RESOLVE_AMBIGUOUS: on faces with two opposite corners inside, the asymptotic decider (Nielson and Hamann
// 1991) decides whether these corners are joined; without it they never are.
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
WRITE_ANY(node_words);
WRITE_ANY(line_words);
WRITE_ANY(vertex_counts);
WRITE_ANY(triangle_counts);
#include "mesh/surface.glsl"

#define SIDE 9u
shared uint neighbour_slots[8];
shared uint inside_bits[SIDE * SIDE]; // one bit per node of a line
shared float field_values[RESOLVE_AMBIGUOUS ? SIDE * SIDE * SIDE : 1];

// Loads the field of the block and its next nodes; each invocation loads one line of nodes along x, and some
// of the rest.
void load_field(ivec3 block)
{
    uint me = gl_LocalInvocationIndex;
    if (me < 8u) neighbour_slots[me] = mesh_find_slot(block + ivec3(me & 1u, me >> 1 & 1u, me >> 2));
    barrier();
    float outside = params.outside; // read once: CPU drivers load from a buffer lane by lane
    for (uint r = me; r < SIDE * SIDE; r += MESH_WORKGROUP) {
        uint y = r % SIDE, z = r / SIDE, k = (y >> 3) << 1 | (z >> 3) << 2, bits = 0u;
        uint from = mesh_node_index(uvec3(0u, y & 7u, z & 7u));
        uint near = neighbour_slots[k], far = neighbour_slots[k | 1u];
        for (uint x = 0u; x < SIDE; x++) {
            uint slot = x < 8u ? near : far;
            float value = outside;
            if (slot != MESH_NOT_FOUND) value = field[slot * MESH_NODES_PER_BLOCK + from + (x & 7u)];
            bits |= value < 0.0 ? 1u << x : 0u;
            if (RESOLVE_AMBIGUOUS) field_values[r * SIDE + x] = value;
        }
        inside_bits[r] = bits;
    }
    barrier();
}

uint corner_at(uint at, uint corner)
{
    return at + (corner & 1u) + SIDE * ((corner >> 1 & 1u) + SIDE * (corner >> 2));
}

// Returns whether the inside corners of an ambiguous face are joined. Both cells at the face compare the same
// products.
bool face_joined(uint at, uint face, uint inside)
{
    uint axis = face >> 1, u = 1u << (axis + 1u) % 3u, v = 1u << (axis + 2u) % 3u;
    uint base = (face & 1u) << axis;
    precise float straight = field_values[corner_at(at, base)] * field_values[corner_at(at, base | u | v)];
    precise float crossed = field_values[corner_at(at, base | u)] * field_values[corner_at(at, base | v)];
    return (inside >> base & 1u) != 0u ? straight > crossed : crossed > straight;
}

// Returns the entry of the case table for the cell at node `at` with the given corners inside.
uint voxel_case(uint at, uint inside)
{
    uint base = case_table[inside], entry = base & 0xffffu;
    if (!RESOLVE_AMBIGUOUS) return entry;
    uint face = 0u;
    for (uint faces = base >> 16; faces != 0u; faces &= faces - 1u)
        entry += (face_joined(at, uint(findLSB(faces)), inside) ? 1u : 0u) << face++;
    return entry;
}

// Returns the inside bits of the four lines of nodes around a line of cells: at y z, y+1 z, y z+1, y+1 z+1.
uvec4 line_insides(uint r)
{
    return uvec4(inside_bits[r], inside_bits[r + 1u], inside_bits[r + SIDE], inside_bits[r + SIDE + 1u]);
}

uint voxel_corners_inside(uvec4 four, uint x)
{
    uvec4 pair = four >> x & 3u;
    return pair.x | pair.y << 2 | pair.z << 4 | pair.w << 6;
}

// Returns the cells of a line with corners on both sides.
uint mixed_voxels(uvec4 four)
{
    uint some = four.x | four.y | four.z | four.w, every = four.x & four.y & four.z & four.w;
    return (some | some >> 1) & ~(every & every >> 1) & 0xffu;
}

// Returns the edges along x, y, z from the line's nodes that carry a vertex.
uvec3 crossed_edges(uvec4 four) { return uvec3(four.x >> 1, four.yz) & 0xffu ^ uvec3(four.x & 0xffu); }

uint case_triangle_count(uint entry)
{
    return case_table[MESH_CASES + entry] >> MESH_TABLE_COUNT_SHIFT & 0xffu;
}

uint case_has_centre(uint entry) { return case_table[MESH_CASES + entry] >> MESH_TABLE_CENTRE_BIT & 1u; }

// Returns the number of vertices of a line, and of triangles << 16.
uint count_line(uint r, uvec4 four)
{
    uvec3 edges = crossed_edges(four);
    uint count = bitCount(edges.x) + bitCount(edges.y) + bitCount(edges.z), cells = mixed_voxels(four);
    do {
        uint x = uint(findLSB(cells | 0x100u)) & 7u;
        uint entry = voxel_case(r * SIDE + x, voxel_corners_inside(four, x));
        count += cells == 0u
                     ? 0u
                     : case_triangle_count(entry) << 16 | (RESOLVE_AMBIGUOUS ? case_has_centre(entry) : 0u);
        cells &= cells - 1u;
    } while (cells != 0u);
    return count;
}

// Writes the words of the line's mixed cells. Returns the nodes with a vertex.
uint write_line(uint at, uint r, uvec4 four, uint before)
{
    uvec3 edges = crossed_edges(four);
    uint cells = mixed_voxels(four), centres = 0u;
    while (cells != 0u) {
        uint x = uint(findLSB(cells));
        uint entry = voxel_case(r * SIDE + x, voxel_corners_inside(four, x));
        uvec3 bits = edges >> x & 1u;
        uint mask = bits.x | bits.y << 1 | bits.z << 2;
        if (RESOLVE_AMBIGUOUS) mask |= case_has_centre(entry) << 3;
        node_words[at + x] = entry | mask << MESH_WORD_MASK_SHIFT | before << MESH_WORD_FIRST_SHIFT;
        before += bitCount(mask);
        centres |= (mask >> 3) << x;
        cells &= cells - 1u;
    }
    return edges.x | edges.y | edges.z | centres;
}

void main()
{
    uint number = workgroup_index(), me = gl_LocalInvocationIndex;
    if (number >= state.surface_count) return;
    uint block = slot_blocks[surface_block_list[number]];
    load_field(blocks[block].xyz);
    uint r = (me & 7u) + SIDE * (me >> 3), all;
    uvec4 four = line_insides(r);
    uint before = workgroup_exclusive_sum(count_line(r, four), all);
    uint with_vertex = write_line(number * MESH_NODES_PER_BLOCK + me * 8u, r, four, before & 0xffffu);
    line_words[number * MESH_LINES_PER_BLOCK + me] = mixed_voxels(four) |
                                                     with_vertex << MESH_LINE_NODES_SHIFT |
                                                     before >> 16 << MESH_LINE_FIRST_SHIFT;
    if (me == 0u) {
        vertex_counts[number] = mesh_in_batch(block) ? all & 0xffffu : 0u;
        triangle_counts[number] = mesh_in_batch(block) ? all >> 16 : 0u;
    }
}
