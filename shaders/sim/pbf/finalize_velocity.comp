// Ends a substep; one invocation per particle. Adds vorticity confinement (Macklin and Mueller 2013, equation
// 16, not divided by the curl), XSPH and surface tension to the velocity. Stores the last iterate as the
// position of the next substep. Until then `positions` holds the new velocities, and `velocities` the changes
// by XSPH: both have one name here, because compilers assume that two do not overlap.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(positions);
UPDATE_OWN(velocities);
READ_OWN(vorticities);
READ_ANY(vorticity_magnitudes);
READ_TEXELS(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(sorted_ids);
WRITE_OWN(ids);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
WORK_ESTIMATE(33, 21, 20);
#include "neighbours/pair.glsl"

void add_pair(inout vec3 sum, ivec3 p, float size, uint j)
{
    vec3 d = pair_offset_steps(p, TEXEL(iterated_positions, j).xyz);
    float r2 = pair_distance2_steps(d);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    sum -= d * ((vorticity_magnitudes[j] - size) * g * g * inverse);
}

// Returns the gradient of |curl| at particle i, up to a positive factor: only its direction is used.
vec3 curl_gradient(uint i, ivec3 p)
{
    float size = vorticities[i].w;
    uint count = neighbour_headers[i] & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, size, j))
    return sum * pair_step_over_h;
}

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    vec4 new_velocity = intBitsToFloat(positions[i]);
    vec3 velocity = new_velocity.xyz;
    float led = HAS_FIXED_PARTICLES ? max(-new_velocity.w, 0.0) : 0.0;
    if (HAS_VELOCITY_CHANGES) velocity += velocities[i].xyz;
    if (VORTICITY_CONFINEMENT) {
        vec3 eta = curl_gradient(i, p);
        float size = length(eta);
        if (size > 0.0)
            velocity += status.dt * params.vorticity_confinement *
                        cross(eta / size, vorticities[i].xyz);
    }
    if (led > 0.0) {
        velocity = new_velocity.xyz;
        p = sorted_positions[i].xyz + fixed_from_offset(velocity * status.dt);
    }
    if (PERIODIC && p.x != SIM_INVALID_POSITION) p = fixed_wrap(p);
    positions[i] = ivec4(p, sorted_positions[i].w);
    velocities[i] = vec4(velocity, max(led - status.dt, 0.0));
    ids[i] = sorted_ids[i];
}
