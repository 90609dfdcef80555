// Empties the buckets of the vertex hash; one invocation per bucket.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
WRITE_OWN(vertex_hash_heads);
BLOCK(vertex_hash);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= vertex_hash.buckets);
    vertex_hash_heads[i] = DEFORMABLE_NONE;
}
