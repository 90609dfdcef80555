// Numbers the vertices of the slab's blocks, from the end of all vertices backwards, since the slabs that
// lie behind are meshed first. One invocation also writes the slab's totals.
// Reads vertex_counts and triangle_counts (scanned), writes vertex_base, state.
// row.constant: places, where the totals stand.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_STATE) buffer state_block { mesh_state state; };
layout(std430, binding = MESH_BIND_PLACE_BLOCKS) readonly buffer list_block { uint place_blocks[]; };
layout(std430, binding = MESH_BIND_SURFACE_LIST) readonly buffer slist_block { uint surface_list[]; };
layout(std430, binding = MESH_BIND_VERTEX_COUNTS) readonly buffer vcounts_block { uint vertex_counts[]; };
layout(std430, binding = MESH_BIND_TRIANGLE_COUNTS) readonly buffer tcounts_block { uint triangle_counts[]; };
layout(std430, binding = MESH_BIND_VERTEX_BASE) writeonly buffer base_block { uint vertex_base[]; };

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
    uint block = place_blocks[surface_list[i]];
    if (block >= params.slab_first && block < params.slab_end)
        vertex_base[block] = vertex_counts[i] - total - params.vertices_behind;
}
