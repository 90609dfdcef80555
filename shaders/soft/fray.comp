// One invocation a bond that bends what can tear: it tears with an edge of its two triangles, or of a rope
// with one of its two edges.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_ANY(soft_states);
READ_OWN(soft_frays);
#include "deformable/torn.glsl"
#include "deformable/tear.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    soft_fray fray = soft_frays[i];
    bool torn = is_torn(fray.edge0) || is_torn(fray.edge1) || is_torn(fray.edge2) ||
                is_torn(fray.edge3) || is_torn(fray.edge4);
    if (torn) tear(fray.flag);
}
