// Lists the surface blocks and writes the size of the dispatch over them.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "mesh.glsl"

BLOCK(params);
SCATTER(state);
GATHER(surface);
SCATTER(surface_list);

void main()
{
    uint i = row_index();
    if (i > params.seat_count) return;
    uint number = surface[i];
    if (i < params.seat_count) {
        if (surface[i + 1u] != number) surface_list[number] = i;
        return;
    }
    state.surface_count = number;
    state.arguments[0] = min(number, 65535u);
    state.arguments[1] = max((number + 65534u) / 65535u, 1u);
    state.arguments[2] = 1u;
}
