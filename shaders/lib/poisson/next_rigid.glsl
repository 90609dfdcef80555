// Walks over the rigid bodies that cells of a block are coupled to.
// Buffers: none.
#ifndef POISSON_NEXT_RIGID_GLSL
#define POISSON_NEXT_RIGID_GLSL
#include "reduce/max_sum.glsl"

// Returns 1 + the largest index of a rigid body in the workgroup below `last`; 0 after the smallest. `first`
// and `second` are those of the invocation's two cells.
float next_rigid_in_block(float first, float second, float last)
{
    float own = max(first < last ? first : 0.0, second < last ? second : 0.0);
    float most = workgroup_sum_and_max(vec4(0.0, 0.0, 0.0, own)).w;
    barrier(); // before others write to the lanes
    return most;
}
#endif
