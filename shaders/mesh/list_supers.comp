// Lists the active super blocks in order. Reads supers (scanned), writes super_list.
// row.constant: super blocks of the frame's box.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_SUPERS) readonly buffer supers_block { uint supers[]; };
layout(std430, binding = MESH_BIND_SUPER_LIST) writeonly buffer list_block { uint super_list[]; };

void main()
{
    uint i = row_index();
    if (i >= row.constant) return;
    uint number = supers[i];
    if (supers[i + 1u] != number) super_list[number] = i;
}
