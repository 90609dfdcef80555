// Moves each vertex by the impulse of its contacts with other vertices; one invocation per vertex.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(deformable_displacements);
READ_OWN(vertex_contact_impulses);

void main()
{
    uint i = invocation_index();
    RETURN_IF_SOLVED(i >= pass.constant);
    vec3 shove = vertex_contact_impulses[i].xyz;
    if (any(not_finite(shove))) return;
    deformable_displacements[i].xyz += deformable_displacements[i].w * shove;
}
