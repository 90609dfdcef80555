// One invocation a bond: Jacobi. All bonds act at once, so each takes a vertex as so much lighter as it has
// bonds: their pushes add up to no more than is right, and what one vertex gets the others lose (mass
// splitting, Tonge and others 2012).
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_OWN(soft_bonds);
UPDATE_OWN(soft_lambdas);
WRITE_OWN(soft_pushes);
READ_ANY(soft_firsts);
WORK(40, 0, 0);
#include "deformable/constraint.glsl"
#include "deformable/torn.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_SOLVED(i >= row.constant);
    soft_bond bond = soft_bonds[i];
    soft_pushes[i] = vec4(0.0);
    if (is_torn(bond.flag)) return;
    float weight = 0.0;
    for (uint k = 0u; k < SOFT_CORNERS; k++) {
        uint v = bond.vertices[k];
        if (v == SOFT_NONE) continue;
        float count = float(soft_firsts[v + 1u] - soft_firsts[v]);
        weight += count * soft_moves[v].w * bond.shares[k] * bond.shares[k];
    }
    bond_strain strain = bond_measure(bond);
    vec3 change = bond_change(bond, strain, soft_lambdas[i].xyz, weight);
    soft_lambdas[i].xyz += change;
    soft_pushes[i] = vec4(bond_push(bond, strain, change), 0.0);
}
