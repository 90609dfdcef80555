// Empties the lists of splats of one camera. One invocation.
#version 460
#include "bindings/render.glsl"

REDUCTION(splat_lists);

void main()
{
    if (invocation_index() != 0u) return;
    splat_lists.outer = splat_lists.later = uint[5](GPU_INSTANCE_INDICES, 0u, 0u, 0u, 0u);
    splat_lists.outer_count = splat_lists.later_count = splat_lists.inner_count = 0u;
}
