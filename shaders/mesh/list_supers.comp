// Lists the active super blocks in order. row.constant: super blocks of the frame's box.
#version 460
#include "bindings/mesh.glsl"

READ_ANY(supers);
WRITE_ANY(super_list);

void main()
{
    uint i = row_index();
    if (i >= row.constant) return;
    uint number = supers[i];
    if (supers[i + 1u] != number) super_list[number] = i;
}
