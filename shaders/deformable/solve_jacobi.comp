// Jacobi solver: computes the impulse of each constraint; one invocation per constraint. All constraints are
// solved in parallel, so each divides a vertex's mass by its number of constraints: the sum does not
// overshoot, and momentum is conserved (mass splitting, Tonge and others 2012).
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_OWN(constraints);
UPDATE_OWN(constraint_multipliers);
WRITE_OWN(constraint_impulses);
READ_ANY(constraint_offsets);
WORK_ESTIMATE(40, 0, 0);
#include "deformable/constraint.glsl"
#include "deformable/torn.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_SOLVED(i >= pass.constant);
    deformable_constraint constraint = constraints[i];
    constraint_impulses[i] = vec4(0.0);
    if (is_torn(constraint.tear_flag)) return;
    float weight = 0.0;
    for (uint k = 0u; k < DEFORMABLE_MAX_VERTICES; k++) {
        uint v = constraint.vertices[k];
        if (v == DEFORMABLE_NONE) continue;
        float count = float(constraint_offsets[v + 1u] - constraint_offsets[v]);
        weight +=
            count * deformable_displacements[v].w * constraint.coefficients[k] * constraint.coefficients[k];
    }
    constraint_value strain = evaluate_constraint(constraint);
    vec3 change = multiplier_change(constraint, strain, constraint_multipliers[i].xyz, weight);
    constraint_multipliers[i].xyz += change;
    constraint_impulses[i] = vec4(constraint_impulse(constraint, strain, change), 0.0);
}
