// Rotates vectors by unit quaternions.
#ifndef MATH_ROTATION_GLSL
#define MATH_ROTATION_GLSL

vec3 quat_rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec4 quat_conjugate(vec4 q) { return vec4(-q.xyz, q.w); }
#endif
