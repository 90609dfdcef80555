// Tears the edges of cloths and ropes that are too long at the substep's end, permanently; one invocation per
// constraint.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformables);
UPDATE_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(vertex_owners);
READ_OWN(constraints);
#include "deformable/constraint.glsl"
#include "deformable/tear.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    deformable_constraint constraint = constraints[i];
    if (constraint.tear_flag == DEFORMABLE_NONE || constraint.kind != DEFORMABLE_STRETCH) return;
    float most = constraint.rest * (1.0 + deformables[vertex_owners[constraint.vertices.x]].tear);
    if (length(vertex_offset(constraint.vertices.x, constraint.vertices.y)) > most)
        set_torn(constraint.tear_flag);
}
