// Lists the blocks whose field is held. Reads places (scanned), writes place_blocks.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_PLACES) readonly buffer places_block { uint places[]; };
layout(std430, binding = MESH_BIND_PLACE_BLOCKS) writeonly buffer list_block { uint place_blocks[]; };

void main()
{
    uint i = row_index();
    if (i >= params.block_count) return;
    uint place = places[i];
    if (places[i + 1u] != place) place_blocks[place] = i;
}
