// Lists the surface blocks and sizes the dispatch over them.
// Reads surface (scanned), writes surface_list and state.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_STATE) writeonly buffer state_block { mesh_state state; };
layout(std430, binding = MESH_BIND_SURFACE) readonly buffer surface_block { uint surface[]; };
layout(std430, binding = MESH_BIND_SURFACE_LIST) writeonly buffer list_block { uint surface_list[]; };

void main()
{
    uint i = row_index();
    if (i > params.place_count) return;
    uint number = surface[i];
    if (i < params.place_count) {
        if (surface[i + 1u] != number) surface_list[number] = i;
        return;
    }
    state.surface_count = number;
    state.arguments[0] = min(number, 65535u);
    state.arguments[1] = max((number + 65534u) / 65535u, 1u);
    state.arguments[2] = 1u;
}
