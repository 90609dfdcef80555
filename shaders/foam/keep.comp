// Copies what lives on to the front, in its order, and counts the kinds.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "foam.glsl"

BLOCK(params);
GATHER(kept);
OWN_READ(moved);
ATOMIC(census);
SCATTER(particles);

void main()
{
    uint i = row_index();
    if (i >= params.particle_count || census.count > params.capacity) return;
    uint to = kept[i];
    if (kept[i + 1u] == to) return;
    particles[to] = moved[i];
    atomicAdd(census.alive[moved[i].kind], 1u);
}
