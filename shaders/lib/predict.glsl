// Forces and the speed cap; needs `params` (sim_params) and `status` (sim_status). The prediction and,
// after the solve, the velocity use the same function.

// The velocity with which a particle is predicted; `capped` when its speed was cut.
vec3 predict_velocity(vec3 velocity, out bool capped)
{
    velocity += status.dt * params.gravity.xyz;
    float way = length(velocity) * status.dt, limit = params.speed_cap * params.spacing;
    capped = way > limit;
    return capped ? velocity * (limit / way) : velocity;
}
