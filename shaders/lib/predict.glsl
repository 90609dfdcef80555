// Forces and the speed cap; needs `params` (sim_params) and `status` (sim_status). The prediction and,
// after the solve, the velocity use the same function.

// Acceleration at p: gravity and central fields.
vec3 predict_acceleration(vec3 p)
{
    vec3 sum = params.gravity.xyz;
    uint n = params.force_count;
    for (uint f = 0u; f < n; f++) {
        vec3 offset = p - params.forces[f].xyz;
        if (params.planar != 0u) offset.z = 0.0;
        sum -= params.forces[f].w * offset;
    }
    return sum;
}

// The predicted velocity of a particle at p; `capped` when its speed was cut.
vec3 predict_velocity(vec3 p, vec3 velocity, out bool capped)
{
    velocity += status.dt * predict_acceleration(p);
    float far = length(velocity) * status.dt, limit = params.speed_cap * params.spacing;
    capped = far > limit;
    return capped ? velocity * (limit / far) : velocity;
}
