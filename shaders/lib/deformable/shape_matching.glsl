// Fits a rotation to a cluster of vertices. Positions are in metres, relative to the position of the
// cluster's first member at the substep's start.
// Buffers: deformable_states, deformable_displacements, cluster_members.
#ifndef DEFORMABLE_SHAPE_MATCHING_GLSL
#define DEFORMABLE_SHAPE_MATCHING_GLSL

vec3 member_position(deformable_cluster cluster, uint vertex)
{
    vec3 from = deformable_states[cluster_members[cluster.first].vertex].position.xyz;
    return (deformable_states[vertex].position.xyz - from) + deformable_displacements[vertex].xyz;
}

// Returns the offset from a member at `place` to its goal position in the cluster, m, without the rounding
// error of the centre.
vec3 member_goal_offset(deformable_transform fit, deformable_member member, vec3 place)
{
    vec3 at = member.x * fit.axis_x.xyz + member.y * fit.axis_y.xyz +
              member.z * cross(fit.axis_x.xyz, fit.axis_y.xyz);
    return (fit.centre.xyz + at) - place;
}

// Returns a rotation whose first column has the direction of `one` and whose second is as near to `two` as
// possible; any such rotation if the deformation is degenerate, a line or a point.
mat3 orthonormal_frame(vec3 one, vec3 two)
{
    float length2 = dot(one, one);
    vec3 x = length2 > 1e-24 ? one * inversesqrt(length2) : vec3(1.0, 0.0, 0.0);
    vec3 across = two - dot(two, x) * x;
    float size = dot(across, across);
    if (!(size > 1e-12 * dot(two, two)) || size < 1e-24) {
        across = abs(x.x) < 0.5 ? vec3(1.0, 0.0, 0.0) : vec3(0.0, 1.0, 0.0);
        across -= dot(across, x) * x;
        size = dot(across, across);
    }
    vec3 y = across * inversesqrt(size);
    return mat3(x, y, cross(x, y));
}

// Rotates r further, approximately by the rotation vector `turn`: the Cayley transform, a rotation for any
// vector.
mat3 rotate_cayley(mat3 r, vec3 turn)
{
    vec3 w = 0.5 * turn;
    float size = 2.0 / (1.0 + dot(w, w));
    mat3 on;
    for (int k = 0; k < 3; k++) {
        vec3 axis = vec3(k == 0, k == 1, k == 2), over = cross(w, axis);
        on[k] = axis + size * (over + cross(w, over));
    }
    return r * on;
}

// Returns the rotation R that minimizes the sum of m |x - R q|^2, the rotational part of a deformation. `a`
// is the sum of m x q^T, `deformation` is that times the inverse of the sum of m q q^T. Maximizes the trace
// of R^T a by Newton's method, starting from the columns of the deformation; where the Hessian is not
// negative definite, takes the step of Mueller, Bender, Chentanez and Macklin (2016).
mat3 polar_rotation(mat3 a, mat3 deformation)
{
    mat3 r = orthonormal_frame(deformation[0], deformation[1]);
    for (int i = 0; i < DEFORMABLE_ROTATION_STEPS; i++) {
        mat3 b = transpose(r) * a;
        vec3 slope = vec3(b[1][2] - b[2][1], b[2][0] - b[0][2], b[0][1] - b[1][0]);
        float trace = b[0][0] + b[1][1] + b[2][2];
        mat3 curve = mat3(trace) - 0.5 * (b + transpose(b));
        float top = determinant(curve);
        bool hill_top = trace > 0.0 && curve[0][0] > 0.0 && top > 1e-4 * trace * trace * trace &&
                        curve[0][0] * curve[1][1] > curve[0][1] * curve[0][1];
        vec3 turn = hill_top ? inverse(curve) * slope : slope / (abs(trace) + 1e-30);
        float size = dot(turn, turn);
        if (!(size > 1e-14)) break;
        r = rotate_cayley(r, turn * min(1.0, inversesqrt(size)));
    }
    return orthonormal_frame(r[0], r[1]);
}
#endif
