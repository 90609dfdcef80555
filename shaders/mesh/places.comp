// Which blocks a slab needs the field of: its own, and those that its cells, the gradients at their
// corners and the vertices of the next blocks look at. row.constant 0: all blocks are its own.
// Reads blocks, supers, children; writes places (1 where needed).
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_SUPERS) readonly buffer supers_block { uint supers[]; };
layout(std430, binding = MESH_BIND_CHILDREN) readonly buffer children_block { uint children[]; };
layout(std430, binding = MESH_BIND_BLOCKS) readonly buffer blocks_block { ivec4 blocks[]; };
layout(std430, binding = MESH_BIND_PLACES) writeonly buffer places_block { uint places[]; };
#include "mesh_find.glsl"

bool own(uint block) { return block >= params.slab_first && block < params.slab_end; }

bool near_own(ivec3 at)
{
    ivec3 d;
    for (d.z = -2; d.z <= 1; d.z++)
        for (d.y = -2; d.y <= 1; d.y++)
            for (d.x = -2; d.x <= 1; d.x++) {
                uint other = mesh_find_block(at + d);
                if (other != MESH_NONE && own(other)) return true;
            }
    return false;
}

void main()
{
    uint i = row_index();
    if (i > params.block_count) return;
    bool needed = i < params.block_count && own(i);
    if (!needed && row.constant != 0u && i < params.block_count) needed = near_own(blocks[i].xyz);
    places[i] = needed ? 1u : 0u;
}
