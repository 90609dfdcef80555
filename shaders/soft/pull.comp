// One invocation a bond of the row's colour: Gauss-Seidel. No two bonds of a colour have a vertex in common.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(soft_states);
UPDATE_ANY(soft_moves);
READ_ANY(soft_bonds);
UPDATE_ANY(soft_lambdas);
READ_ANY(soft_colours);
WORK(40, 0, 0);
#include "deformable/constraint.glsl"
#include "deformable/torn.glsl"

void pull_volume(uint i, soft_bond bond)
{
    uvec4 v = bond.vertices;
    vec3 a = bond_offset(v.y, v.x), b = bond_offset(v.z, v.x), c = bond_offset(v.w, v.x);
    vec3 one = cross(b, c) / 6.0, two = cross(c, a) / 6.0, three = cross(a, b) / 6.0;
    vec3 zero = -(one + two + three);
    vec4 w = vec4(soft_moves[v.x].w, soft_moves[v.y].w, soft_moves[v.z].w, soft_moves[v.w].w);
    float weight = dot(w, vec4(dot(zero, zero), dot(one, one), dot(two, two), dot(three, three)));
    bond_strain strain = bond_strain(vec3(dot(a, one) - bond.rest, 0.0, 0.0), vec3(0.0));
    float change = bond_change(bond, strain, soft_lambdas[i].xyz, weight).x;
    soft_lambdas[i].x += change;
    soft_moves[v.x].xyz += (w.x * change) * zero;
    soft_moves[v.y].xyz += (w.y * change) * one;
    soft_moves[v.z].xyz += (w.z * change) * two;
    soft_moves[v.w].xyz += (w.w * change) * three;
}

void main()
{
    uvec2 colour = soft_colours[row.constant];
    RETURN_IF_BROKEN(row_index() >= colour.y);
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
