// Lists the surface blocks and writes the size of the dispatch over them.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
WRITE_ANY(state);
READ_ANY(surface);
WRITE_ANY(surface_list);

void main()
{
    uint i = row_index();
    if (i > params.seat_count) return;
    uint number = surface[i];
    if (i < params.seat_count) {
        if (surface[i + 1u] != number) surface_list[number] = i;
        return;
    }
    uvec2 size = mesh_dispatch(number);
    state.surface_count = number;
    state.arguments[0] = size.x;
    state.arguments[1] = size.y;
    state.arguments[2] = 1u;
}
