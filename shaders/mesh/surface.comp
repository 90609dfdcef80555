// Which blocks have cells with corners on both sides: a cell looks at its block and the seven towards +x,
// +y, +z. Where none is active is outside.
// Reads places, signs; writes surface (1 where the surface may pass).
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_SUPERS) readonly buffer supers_block { uint supers[]; };
layout(std430, binding = MESH_BIND_CHILDREN) readonly buffer children_block { uint children[]; };
layout(std430, binding = MESH_BIND_BLOCKS) readonly buffer blocks_block { ivec4 blocks[]; };
layout(std430, binding = MESH_BIND_PLACES) readonly buffer places_block { uint places[]; };
layout(std430, binding = MESH_BIND_PLACE_BLOCKS) readonly buffer list_block { uint place_blocks[]; };
layout(std430, binding = MESH_BIND_SIGNS) readonly buffer signs_block { uint signs[]; };
layout(std430, binding = MESH_BIND_SURFACE) writeonly buffer surface_block { uint surface[]; };
#include "mesh_find.glsl"
#include "mesh_place.glsl"

void main()
{
    uint i = row_index();
    if (i > params.place_count) return;
    uint seen = 0u;
    if (i < params.place_count) {
        ivec3 at = blocks[place_blocks[i]].xyz;
        for (uint k = 0u; k < 8u; k++) {
            uint place = mesh_find_place(at + ivec3(k & 1u, k >> 1 & 1u, k >> 2));
            seen |= place == MESH_NONE ? MESH_HAS_OUTSIDE : signs[place];
        }
    }
    surface[i] = seen == (MESH_HAS_INSIDE | MESH_HAS_OUTSIDE) ? 1u : 0u;
}
