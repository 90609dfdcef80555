// One invocation a bond of the row's colour: Gauss-Seidel. No two bonds of a colour have a vertex in common.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "soft.glsl"

BLOCK(state);
BLOCK(status);
GATHER(soft_states);
SCATTER_UPDATE(soft_moves);
GATHER(soft_bonds);
SCATTER_UPDATE(soft_lambdas);
GATHER(soft_colours);
WORK(40, 0, 0);
#include "soft_bond.glsl"
#include "soft_torn.glsl"
#include "soft_volume.glsl"

void main()
{
    uvec2 colour = soft_colours[row.constant];
    if (row_index() >= colour.y || state.flags != 0u) return;
    if (status.running == 0u || status.solved != 0u) return;
    uint i = colour.x + row_index();
    soft_bond bond = soft_bonds[i];
    if (is_torn(bond.flag)) return;
    if (bond.kind == SOFT_VOLUME) {
        pull_volume(i, bond);
        return;
    }
    float weight = 0.0;
    for (uint k = 0u; k < SOFT_CORNERS; k++)
        if (bond.vertices[k] != SOFT_NONE)
            weight += soft_moves[bond.vertices[k]].w * bond.shares[k] * bond.shares[k];
    bond_strain strain = bond_measure(bond);
    vec3 change = bond_change(bond, strain, soft_lambdas[i].xyz, weight);
    soft_lambdas[i].xyz += change;
    vec3 push = bond_push(bond, strain, change);
    for (uint k = 0u; k < SOFT_CORNERS; k++) {
        uint v = bond.vertices[k];
        if (v != SOFT_NONE) soft_moves[v].xyz += (soft_moves[v].w * bond.shares[k]) * push;
    }
}
