// Integrates the rotation of bodies from their inertia and angular momentum.
// Buffers: bodies.
#ifndef BODY_INERTIA_GLSL
#define BODY_INERTIA_GLSL
#include "math/rotation.glsl"

// Returns the inverse inertia times a vector in world space, for a body with the rotation q.
vec3 inverse_inertia_times(uint body, vec4 q, vec3 v)
{
    vec3 w = quat_rotate(quat_conjugate(q), v), xx = bodies[body].inertia.xyz, xy = bodies[body].products.xyz;
    vec3 inverse = vec3(dot(vec3(xx.x, xy.xy), w), dot(vec3(xy.x, xx.y, xy.z), w), dot(vec3(xy.yz, xx.z), w));
    return quat_rotate(q, inverse);
}

// Returns q rotated by the rotation vector `turn`, at most 1 rad. Uses polynomials, so that all drivers
// agree.
vec4 rotate_quat_by(vec4 q, vec3 turn)
{
    float a2 = dot(turn, turn);
    vec3 v = turn * (0.5 - a2 * (1.0 / 48.0 - a2 / 3840.0));
    float w = 1.0 - a2 * (0.125 - a2 / 384.0);
    return normalize(vec4(w * q.xyz + q.w * v + cross(v, q.xyz), w * q.w - dot(v, q.xyz)));
}

// Returns the rotation vector of a body with the rotation q and this angular momentum in the time dt, by the
// midpoint rule; `capped` is true if it was limited to BODY_MAX_ROTATION.
vec3 free_rotation(uint body, vec4 q, vec3 spin, float dt, out bool capped)
{
    vec4 middle = rotate_quat_by(q, 0.5 * dt * inverse_inertia_times(body, q, spin));
    vec3 turn = dt * inverse_inertia_times(body, middle, spin);
    float size = length(turn);
    capped = size > BODY_MAX_ROTATION;
    return capped ? turn * (BODY_MAX_ROTATION / size) : turn;
}
#endif
