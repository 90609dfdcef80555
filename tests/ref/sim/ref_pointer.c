/* Applies a force along a ray like shaders/sim/frame/ray_force.comp. */
#include "ref_pointer.h"

vec4 ref_pointer(const struct sim_params *params, const struct sim_ray_force *pointer, vec4 x,
                 vec4 v)
{
    vec3 origin = {pointer->origin.x, pointer->origin.y, pointer->origin.z};
    vec3 direction = {pointer->direction.x, pointer->direction.y, pointer->direction.z};
    vec3 way = vec3_sub(vec3_make(x.x, x.y, x.z), origin);
    float along = vec3_dot(way, direction), acceleration = pointer->direction.w;
    vec3 off = vec3_sub(way, vec3_scale(direction, along));
    float distance = vec3_length(off), part = distance / pointer->origin.w;
    if (!(along > 0.0f && part < 1.0f)) return v;
    float share = (1.0f - part * part) * (1.0f - part * part) * params->frame_dt;
    vec3 push = vec3_scale(off, share * acceleration / fmaxf(distance, 1e-6f));
    float kept = acceleration < 0.0f ? 1.0f - fminf(share * SIM_RAY_FORCE_DAMPING, 1.0f) : 1.0f;
    return (vec4){v.x * kept + push.x, v.y * kept + push.y,
                  v.z * kept + (params->planar ? 0.0f : push.z), v.w};
}
