// One invocation a vertex: files it in the cell of the middle of its way through the substep. In what order
// those of a bucket follow each other does not matter to shaders/soft/find_near.comp.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
READ_OWN(soft_states);
READ_OWN(soft_moves);
ATOMIC(soft_buckets);
WRITE_OWN(soft_bins);
BLOCK(soft_crowd);
#include "deformable/vertex_hash.glsl"

const float FARTHEST = 1e9; // cells: whole numbers hold it

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= row.constant);
    vec3 middle = (soft_states[i].position.xyz + 0.5 * soft_moves[i].xyz) / soft_crowd.edge;
    if (any(not_finite(middle))) middle = vec3(FARTHEST);
    ivec3 cell = ivec3(floor(clamp(middle, vec3(-FARTHEST), vec3(FARTHEST))));
    uint next = atomicExchange(soft_buckets[bin_bucket(cell)], i);
    soft_bins[i] = ivec4(cell, int(next));
}
