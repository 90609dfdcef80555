// Applies the accumulated fluid impulse to each vertex, then clears it; one invocation per vertex.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
UPDATE_OWN(deformable_displacements);
UPDATE_ANY(deformable_impulse_sums);
#include "reduce/fixed_sum.glsl"

void main()
{
    uint i = invocation_index(), at = i * DEFORMABLE_IMPULSE_WORDS;
    RETURN_IF_BROKEN(i >= pass.constant);
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++)
        sum[axis] = integer_value(uvec2(deformable_impulse_sums[at + 2u * axis],
                                        deformable_impulse_sums[at + 2u * axis + 1u]));
    for (uint k = 0u; k < DEFORMABLE_IMPULSE_CONTACTS; k++) deformable_impulse_sums[at + k] = 0u;
    deformable_displacements[i].xyz +=
        (deformable_displacements[i].w * params.spacing * params.fluids[0].mass * BODY_IMPULSE_UNIT) * sum;
}
