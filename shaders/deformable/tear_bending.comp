// Tears each tearable bending constraint if an edge of its two triangles has torn, or, in a rope, one of its
// two edges; one invocation per constraint.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_ANY(deformable_states);
READ_OWN(bend_tears);
#include "deformable/torn.glsl"
#include "deformable/tear.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    deformable_bend_tear fray = bend_tears[i];
    bool torn = is_torn(fray.edge0) || is_torn(fray.edge1) || is_torn(fray.edge2) ||
                is_torn(fray.edge3) || is_torn(fray.edge4);
    if (torn)  set_torn(fray.tear_flag);
}
