// Applies gravity, force fields and the speed cap. The prediction and, after the solve, the velocity update
// use the same functions.
// Buffers: params, status.
#ifndef PARTICLES_EXTERNAL_FORCES_GLSL
#define PARTICLES_EXTERNAL_FORCES_GLSL

bool force_acts_at(sim_force force, vec3 p)
{
    vec3 way = p - force.low.xyz;
    if (force.swirl.w > 0.0) return dot(way, way) <= force.swirl.w * force.swirl.w;
    return clamp(p, force.low.xyz, force.high.xyz) == p;
}

// Returns xyz the acceleration at p by gravity and force fields, m/s2; w the damping rate of velocities, 1/s.
vec4 force_field_at(vec3 p)
{
    vec4 sum = vec4(params.gravity.xyz, 0.0);
    uint n = params.force_count;
    for (uint f = 0u; f < n; f++) {
        sim_force force = params.forces[f];
        if (!force_acts_at(force, p)) continue;
        vec3 offset = p - force.centre.xyz;
        if (params.planar != 0u) offset.z = 0.0;
        sum += force.acceleration;
        sum.xyz += cross(force.swirl.xyz, offset) - force.centre.w * offset;
    }
    return sum;
}

// Returns the acceleration that does not depend on velocities, m/s2; the MAC grid uses only this.
vec3 acceleration_at(vec3 p)
{
    return force_field_at(p).xyz;
}

// Returns a velocity at p after the forces of a substep, m/s.
vec3 apply_forces(vec3 p, vec3 velocity)
{
    vec4 force = force_field_at(p);
    velocity += status.dt * force.xyz;
    if (force.w > 0.0) velocity /= 1.0 + status.dt * force.w;
    return velocity;
}

// Returns a velocity limited to the speed cap, m/s; `capped` is true if the speed was reduced.
vec3 cap_speed(vec3 velocity, out bool capped)
{
    float far = length(velocity) * status.dt, limit = params.speed_cap * params.spacing;
    capped = far > limit;
    return capped ? velocity * (limit / far) : velocity;
}

// Returns the predicted velocity of a particle at p, m/s; `capped` is true if the speed was reduced. Fields
// act where the corrections do, at predicted positions: a torque would result otherwise (docs/equations.md).
vec3 predict_velocity(vec3 p, vec3 velocity, out bool capped)
{
    return cap_speed(apply_forces(p + params.field_lead * status.dt * velocity, velocity), capped);
}
#endif
