// Gauss-Seidel solver: solves the constraints of one colour; one invocation per constraint. No two
// constraints of a colour share a vertex. pass.constant: the colour.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformable_states);
UPDATE_ANY(deformable_displacements);
READ_ANY(constraints);
UPDATE_ANY(constraint_multipliers);
READ_ANY(constraint_colours);
WORK_ESTIMATE(40, 0, 0);
#include "deformable/constraint.glsl"
#include "deformable/torn.glsl"

void solve_volume_constraint(uint i, deformable_constraint constraint)
{
    uvec4 v = constraint.vertices;
    vec3 a = vertex_offset(v.y, v.x), b = vertex_offset(v.z, v.x), c = vertex_offset(v.w, v.x);
    vec3 one = cross(b, c) / 6.0, two = cross(c, a) / 6.0, three = cross(a, b) / 6.0;
    vec3 zero = -(one + two + three);
    vec4 w = vec4(deformable_displacements[v.x].w, deformable_displacements[v.y].w,
                  deformable_displacements[v.z].w, deformable_displacements[v.w].w);
    float weight = dot(w, vec4(dot(zero, zero), dot(one, one), dot(two, two), dot(three, three)));
    constraint_value strain = constraint_value(vec3(dot(a, one) - constraint.rest, 0.0, 0.0), vec3(0.0));
    float change = multiplier_change(constraint, strain, constraint_multipliers[i].xyz, weight).x;
    constraint_multipliers[i].x += change;
    deformable_displacements[v.x].xyz += (w.x * change) * zero;
    deformable_displacements[v.y].xyz += (w.y * change) * one;
    deformable_displacements[v.z].xyz += (w.z * change) * two;
    deformable_displacements[v.w].xyz += (w.w * change) * three;
}

void main()
{
    uvec2 colour = constraint_colours[pass.constant];
    RETURN_IF_BROKEN(invocation_index() >= colour.y);
    if (status.running == 0u || status.iterations_done != 0u) return;
    uint i = colour.x + invocation_index();
    deformable_constraint constraint = constraints[i];
    if (is_torn(constraint.tear_flag)) return;
    if (constraint.kind == DEFORMABLE_VOLUME) {
        solve_volume_constraint(i, constraint);
        return;
    }
    float weight = 0.0;
    for (uint k = 0u; k < DEFORMABLE_MAX_VERTICES; k++)
        if (constraint.vertices[k] != DEFORMABLE_NONE)
            weight +=
                deformable_displacements[constraint.vertices[k]].w * constraint.coefficients[k] *
                constraint.coefficients[k];
    constraint_value strain = evaluate_constraint(constraint);
    vec3 change = multiplier_change(constraint, strain, constraint_multipliers[i].xyz, weight);
    constraint_multipliers[i].xyz += change;
    vec3 push = constraint_impulse(constraint, strain, change);
    for (uint k = 0u; k < DEFORMABLE_MAX_VERTICES; k++) {
        uint v = constraint.vertices[k];
        if (v != DEFORMABLE_NONE)
            deformable_displacements[v].xyz +=
                (deformable_displacements[v].w * constraint.coefficients[k]) * push;
    }
}
