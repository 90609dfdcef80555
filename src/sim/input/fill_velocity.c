/* The velocity that a fill gives its particles, and its gradient, in closed form. */
#include "sim_input.h"

vec3 sim_fill_velocity_at(const scene_fill *fill, vec3 p)
{
    vec3 offset = vec3_sub(p, fill->gradient_centre);
    vec3 linear = {vec3_dot(fill->gradient[0], offset), vec3_dot(fill->gradient[1], offset),
                   vec3_dot(fill->gradient[2], offset)};
    float phase = vec3_dot(fill->wave_vector, p) + fill->wave_phase;
    vec3 spin = vec3_cross(fill->spin, vec3_sub(p, fill->spin_centre));
    vec3 wave = vec3_scale(fill->wave, base_sin(phase));
    return vec3_add(vec3_add(fill->velocity, spin), vec3_add(linear, wave));
}

void sim_fill_velocity_gradient_at(const scene_fill *fill, vec3 p, vec3 rows[3])
{
    const vec3 w = fill->spin;
    float slope = base_cos(vec3_dot(fill->wave_vector, p) + fill->wave_phase);
    vec3 wave = vec3_scale(fill->wave, slope);
    const vec3 turn[3] = {{0.0f, -w.z, w.y}, {w.z, 0.0f, -w.x}, {-w.y, w.x, 0.0f}};
    const float along[3] = {wave.x, wave.y, wave.z};
    for (int axis = 0; axis < 3; axis++)
        rows[axis] = vec3_add(vec3_add(fill->gradient[axis], turn[axis]),
                              vec3_scale(fill->wave_vector, along[axis]));
}
