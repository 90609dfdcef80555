// Forces and the speed cap; needs `params` (sim_params) and `status` (sim_status). The prediction and,
// after the solve, the velocity use the same function.

// Acceleration at p: gravity and central fields.
vec3 predict_acceleration(vec3 p)
{
    vec3 sum = params.gravity.xyz;
    uint n = params.force_count;
    for (uint f = 0u; f < n; f++) {
        vec3 way = p - params.forces[f].xyz;
        if (params.planar != 0u) way.z = 0.0;
        sum -= params.forces[f].w * way;
    }
    return sum;
}

// The velocity with which a particle at p is predicted; `capped` when its speed was cut.
vec3 predict_velocity(vec3 p, vec3 velocity, out bool capped)
{
    velocity += status.dt * predict_acceleration(p);
    float way = length(velocity) * status.dt, limit = params.speed_cap * params.spacing;
    capped = way > limit;
    return capped ? velocity * (limit / way) : velocity;
}
