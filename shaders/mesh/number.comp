// Numbers the vertices of the slab's blocks, backwards from the end of all vertices, since the slabs behind
// are meshed first. One invocation also writes the slab's totals.
// row.constant: the number of seats, which is the index of the totals.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
ATOMIC(state);
READ_ANY(seat_blocks);
READ_ANY(surface_list);
READ_ANY(vertex_counts);
READ_ANY(triangle_counts);
WRITE_ANY(vertex_base);

void main()
{
    uint i = row_index();
    if (i > row.constant) return;
    uint total = vertex_counts[row.constant];
    if (i == row.constant) {
        state.vertex_count = total;
        state.triangle_count = triangle_counts[row.constant];
        return;
    }
    if (i >= state.surface_count) return;
    uint block = seat_blocks[surface_list[i]];
    if (block >= params.slab_first && block < params.slab_end)
        vertex_base[block] = vertex_counts[i] - total - params.vertices_behind;
}
