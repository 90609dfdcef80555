/* Quaternions: x, y, z are the vector part and w is the scalar. Rotations are unit quaternions. */
#include "base.h"

quat quat_identity(void)
{
    return (quat){0, 0, 0, 1};
}

quat quat_from_axis_angle(vec3 axis, float radians)
{
    float length = vec3_length(axis);
    if (!(length > 0)) return quat_identity();
    vec3 v = vec3_scale(axis, base_sin(radians * 0.5f) / length);
    return (quat){v.x, v.y, v.z, base_cos(radians * 0.5f)};
}

quat quat_multiply(quat a, quat b)
{
    return (quat){
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    };
}

quat quat_conjugate(quat q)
{
    return (quat){-q.x, -q.y, -q.z, q.w};
}

static float quat_dot(quat a, quat b)
{
    return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}

quat quat_normalize(quat q)
{
    float length = sqrtf(quat_dot(q, q));
    if (!(length > 0)) return quat_identity();
    return (quat){q.x / length, q.y / length, q.z / length, q.w / length};
}

static quat quat_weighted_sum(quat a, float wa, quat b, float wb)
{
    return (quat){a.x * wa + b.x * wb, a.y * wa + b.y * wb, a.z * wa + b.z * wb,
                  a.w * wa + b.w * wb};
}

quat quat_slerp(quat a, quat b, float t)
{
    float cosine = quat_dot(a, b);
    /* q and -q are the same rotation: take the shorter arc. */
    float side = cosine < 0 ? -1.0f : 1.0f;
    cosine = fabsf(cosine);
    if (cosine > 0.9995f)
        return quat_normalize(quat_weighted_sum(a, 1 - t, b, side * t)); /* the sine is near 0 */
    float angle = base_acos(cosine);
    float sine = base_sin(angle);
    return quat_weighted_sum(a, base_sin((1 - t) * angle) / sine, b,
                             side * base_sin(t * angle) / sine);
}

vec3 quat_rotate(quat q, vec3 v)
{
    vec3 axis = vec3_make(q.x, q.y, q.z);
    vec3 twice = vec3_scale(vec3_cross(axis, v), 2);
    return vec3_add(vec3_add(v, vec3_scale(twice, q.w)), vec3_cross(axis, twice));
}
