// One invocation a vertex: what fluid has pushed moves it, and is forgotten.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
UPDATE_OWN(soft_moves);
UPDATE_ANY(soft_sums);
#include "reduce/fixed_sum.glsl"

void main()
{
    uint i = row_index(), at = i * SOFT_SUM_WORDS;
    RETURN_IF_BROKEN(i >= row.constant);
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++)
        sum[axis] = whole_value(uvec2(soft_sums[at + 2u * axis], soft_sums[at + 2u * axis + 1u]));
    for (uint k = 0u; k < SOFT_SUM_CONTACTS; k++) soft_sums[at + k] = 0u;
    soft_moves[i].xyz += (soft_moves[i].w * params.spacing * params.fluids[0].mass * BODY_UNIT) * sum;
}
