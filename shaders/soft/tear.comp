// One invocation a bond: an edge of a cloth or a rope that is too long at the substep's end has torn, for
// good.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(softs);
UPDATE_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_owners);
READ_OWN(soft_bonds);
#include "deformable/constraint.glsl"
#include "deformable/tear.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    soft_bond bond = soft_bonds[i];
    if (bond.flag == SOFT_NONE || bond.kind != SOFT_STRETCH) return;
    float most = bond.rest * (1.0 + softs[soft_owners[bond.vertices.x]].tear);
    if (length(bond_offset(bond.vertices.x, bond.vertices.y)) > most) tear(bond.flag);
}
