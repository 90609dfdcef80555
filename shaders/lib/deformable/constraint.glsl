// Evaluates constraints and their multipliers: with compliance (XPBD: Macklin, Mueller and Chentanez 2016,
// equations 4 and 18), or with a fraction that each sweep removes (PBD: Mueller, Heidelberger, Hennix and
// Ratcliff 2006, section 3.3).
// Buffers: status, deformable_states, deformable_displacements.
#ifndef DEFORMABLE_CONSTRAINT_GLSL
#define DEFORMABLE_CONSTRAINT_GLSL

// Returns the offset from vertex b to vertex a, m.
vec3 vertex_offset(uint a, uint b)
{
    return (deformable_states[a].position.xyz - deformable_states[b].position.xyz) +
           (deformable_displacements[a].xyz - deformable_displacements[b].xyz);
}

// The values of a constraint on up to three axes, and the axis of a stretch.
struct constraint_value {
    vec3 value; // m; a stretch has x alone
    vec3 along; // stretch: unit vector from its second vertex to its first
};

constraint_value evaluate_constraint(deformable_constraint constraint)
{
    uvec4 v = constraint.vertices;
    vec3 first = vertex_offset(v.x, v.y);
    if (constraint.kind == DEFORMABLE_STRETCH) {
        float size = length(first);
        vec3 along = size > 0.0 ? first / size : vec3(0.0);
        return constraint_value(vec3(size > 0.0 ? size - constraint.rest : 0.0, 0.0, 0.0), along);
    }
    vec3 sum = -constraint.coefficients.y * first; // the coefficients sum to 0, so only offsets count
    if (v.z != DEFORMABLE_NONE) sum -= constraint.coefficients.z * vertex_offset(v.x, v.z);
    if (v.w != DEFORMABLE_NONE) sum -= constraint.coefficients.w * vertex_offset(v.x, v.w);
    return constraint_value(sum, vec3(0.0));
}

// Returns the change of the multiplier, kg m. `weight`, 1/kg: sum of inverse masses times squared
// coefficients.
vec3 multiplier_change(deformable_constraint constraint, constraint_value strain, vec3 lambda, float weight)
{
    if (constraint.compliance < 0.0)
        return weight > 0.0 ? strain.value * (constraint.compliance / weight) : vec3(0.0);
    float softness = constraint.compliance / (status.dt * status.dt), sum = weight + softness;
    return sum > 0.0 ? -(strain.value + softness * lambda) / sum : vec3(0.0);
}

// Returns the impulse of a multiplier change, kg m; a vertex gets it times the vertex's coefficient.
vec3 constraint_impulse(deformable_constraint constraint, constraint_value strain, vec3 change)
{
    return constraint.kind == DEFORMABLE_STRETCH ? strain.along * change.x : change;
}
#endif
