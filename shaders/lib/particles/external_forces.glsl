// Computes gravity, force fields and the speed cap. The prediction and, after the solve, the velocity use
// the same function.
// Buffers: params, status.
#ifndef PARTICLES_EXTERNAL_FORCES_GLSL
#define PARTICLES_EXTERNAL_FORCES_GLSL

bool predict_reaches(sim_force force, vec3 p)
{
    vec3 way = p - force.low.xyz;
    if (force.turn.w > 0.0) return dot(way, way) <= force.turn.w * force.turn.w;
    return clamp(p, force.low.xyz, force.high.xyz) == p;
}

// Acceleration at p of gravity and of fields; w: the rate at which velocities shrink.
vec4 predict_force(vec3 p)
{
    vec4 sum = vec4(params.gravity.xyz, 0.0);
    uint n = params.force_count;
    for (uint f = 0u; f < n; f++) {
        sim_force force = params.forces[f];
        if (!predict_reaches(force, p)) continue;
        vec3 offset = p - force.centre.xyz;
        if (params.planar != 0u) offset.z = 0.0;
        sum += force.push;
        sum.xyz += cross(force.turn.xyz, offset) - force.centre.w * offset;
    }
    return sum;
}

// Of what does not depend on velocities: all that the MAC grid knows.
vec3 predict_acceleration(vec3 p)
{
    return predict_force(p).xyz;
}

// What forces make of a velocity at p in a substep.
vec3 predict_free(vec3 p, vec3 velocity)
{
    vec4 force = predict_force(p);
    velocity += status.dt * force.xyz;
    if (force.w > 0.0) velocity /= 1.0 + status.dt * force.w;
    return velocity;
}

// At most the speed cap; `capped` when the speed was cut.
vec3 predict_cut(vec3 velocity, out bool capped)
{
    float far = length(velocity) * status.dt, limit = params.speed_cap * params.spacing;
    capped = far > limit;
    return capped ? velocity * (limit / far) : velocity;
}

// The predicted velocity of a particle at p; `capped` when its speed was cut.
vec3 predict_velocity(vec3 p, vec3 velocity, out bool capped)
{
    return predict_cut(predict_free(p, velocity), capped);
}
#endif
