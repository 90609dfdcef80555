// Jacobi solver: adds the impulses of all constraints of each vertex, in their order; one invocation per
// vertex.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(deformable_displacements);
READ_ANY(constraints);
READ_ANY(constraint_impulses);
READ_ANY(constraint_offsets);
READ_ANY(constraint_entries);

void main()
{
    uint i = invocation_index();
    RETURN_IF_SOLVED(i >= pass.constant);
    uint end = constraint_offsets[i + 1u];
    vec3 sum = vec3(0.0);
    for (uint e = constraint_offsets[i]; e < end; e++) {
        uint constraint = constraint_entries[e] / DEFORMABLE_MAX_VERTICES;
        sum += constraints[constraint].coefficients[constraint_entries[e] % DEFORMABLE_MAX_VERTICES] *
               constraint_impulses[constraint].xyz;
    }
    deformable_displacements[i].xyz += deformable_displacements[i].w * sum;
}
