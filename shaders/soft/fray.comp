// One invocation a bond that bends what can tear: it tears with an edge of its two triangles, or of a rope
// with one of its two edges.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
SCATTER_UPDATE(soft_states);
OWN_READ(soft_frays);
#include "soft_torn.glsl"
#include "soft_tear.glsl"

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u) return;
    soft_fray fray = soft_frays[i];
    bool torn = is_torn(fray.edge0) || is_torn(fray.edge1) || is_torn(fray.edge2) ||
                is_torn(fray.edge3) || is_torn(fray.edge4);
    if (torn) tear(fray.flag);
}
