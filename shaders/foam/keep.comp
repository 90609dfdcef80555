// Copies what lives on to the front, in its order, and counts the kinds.
#version 460
#include "bindings/whitewater.glsl"

BLOCK(params);
READ_ANY(kept);
READ_OWN(moved);
ATOMIC(census);
WRITE_ANY(particles);

void main()
{
    uint i = row_index();
    if (i >= params.particle_count || census.count > params.capacity) return;
    uint to = kept[i];
    if (kept[i + 1u] == to) return;
    particles[to] = moved[i];
    atomicAdd(census.alive[moved[i].kind], 1u);
}
