// Applies gravity, force fields and the speed cap. The prediction and, after the solve, the velocity update
// use the same functions.
// Buffers: params, status.
#ifndef PARTICLES_EXTERNAL_FORCES_GLSL
#define PARTICLES_EXTERNAL_FORCES_GLSL

// Forces are read where they are needed: a copy would cost a GPU registers.
bool force_acts_at(uint f, vec3 p)
{
    vec3 low = params.forces[f].low.xyz, way = p - low;
    float radius = params.forces[f].swirl.w;
    if (radius > 0.0) return dot(way, way) <= radius * radius;
    return clamp(p, low, params.forces[f].high.xyz) == p;
}

// Returns xyz the acceleration at p by gravity and force fields, m/s2; w the damping rate of velocities, 1/s.
vec4 force_field_at(vec3 p)
{
    vec4 sum = vec4(params.gravity.xyz, 0.0);
    uint n = params.force_count;
    for (uint f = 0u; f < n; f++) {
        if (!force_acts_at(f, p)) continue;
        vec4 centre = params.forces[f].centre;
        vec3 offset = p - centre.xyz;
        if (params.planar != 0u) offset.z = 0.0;
        sum += params.forces[f].acceleration;
        sum.xyz += cross(params.forces[f].swirl.xyz, offset) - centre.w * offset;
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
