// Numbers the vertices of the slab's blocks, backwards from the end of all vertices, since the slabs behind
// are meshed first. One invocation also writes the slab's totals.
// row.constant: the number of seats, which is the index of the totals.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "mesh.glsl"

BLOCK(params);
ATOMIC(state);
GATHER(seat_blocks);
GATHER(surface_list);
GATHER(vertex_counts);
GATHER(triangle_counts);
SCATTER(vertex_base);

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
