// Numbers the vertices of the batch's blocks, backwards from the end of all vertices, because later batches
// are meshed first; one invocation per slot, and one that writes the batch's totals. pass.constant: the
// number of slots, which is the index of the totals.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
ATOMIC(state);
READ_ANY(slot_blocks);
READ_ANY(surface_block_list);
READ_ANY(vertex_counts);
READ_ANY(triangle_counts);
WRITE_ANY(vertex_base);

void main()
{
    uint i = invocation_index();
    if (i > pass.constant) return;
    uint total = vertex_counts[pass.constant];
    if (i == pass.constant) {
        state.vertex_count = total;
        state.triangle_count = triangle_counts[pass.constant];
        return;
    }
    if (i >= state.surface_count) return;
    uint block = slot_blocks[surface_block_list[i]];
    if (block >= params.batch_first && block < params.batch_end)
        vertex_base[block] = vertex_counts[i] - total - params.vertices_after;
}
