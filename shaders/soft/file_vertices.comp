// One invocation a vertex: files it in the cell of the middle of its way through the substep. In what order
// those of a bucket follow each other does not matter to shaders/soft/find_near.comp.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
OWN_READ(soft_states);
OWN_READ(soft_moves);
ATOMIC(soft_buckets);
OWN_WRITE(soft_bins);
BLOCK(soft_crowd);
#include "soft_bins.glsl"

const float FARTHEST = 1e9; // cells: whole numbers hold it

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u) return;
    vec3 middle = (soft_states[i].position.xyz + 0.5 * soft_moves[i].xyz) / soft_crowd.edge;
    if (any(not_finite(middle))) middle = vec3(FARTHEST);
    ivec3 cell = ivec3(floor(clamp(middle, vec3(-FARTHEST), vec3(FARTHEST))));
    uint next = atomicExchange(soft_buckets[bin_bucket(cell)], i);
    soft_bins[i] = ivec4(cell, int(next));
}
