// One invocation a bond: an edge of a cloth or a rope that is too long at the substep's end has torn, for
// good.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
GATHER(softs);
SCATTER_UPDATE(soft_states);
GATHER(soft_moves);
GATHER(soft_owners);
OWN_READ(soft_bonds);
#include "soft_bond.glsl"
#include "soft_tear.glsl"

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u) return;
    soft_bond bond = soft_bonds[i];
    if (bond.flag == SOFT_NONE || bond.kind != SOFT_STRETCH) return;
    float most = bond.rest * (1.0 + softs[soft_owners[bond.vertices.x]].tear);
    if (length(bond_offset(bond.vertices.x, bond.vertices.y)) > most) tear(bond.flag);
}
