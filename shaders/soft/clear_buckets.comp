// One invocation a bucket of cells: no vertex is in it.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
WRITE_OWN(soft_buckets);
BLOCK(soft_crowd);

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= soft_crowd.buckets);
    soft_buckets[i] = SOFT_NONE;
}
