// Computes the curl of the velocity at every particle (Macklin and Mueller 2013, equation 15: the gradient is
// taken at p_j) and the velocity change by XSPH (equation 17, with the volume of particle j; between unequal
// masses it conserves momentum). One invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_FLOAT_TEXELS(new_velocities);
WRITE_OWN(velocity_changes);
WRITE_OWN(vorticities);
WRITE_OWN(vorticity_magnitudes);
READ_TEXELS(iterated_positions);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
WORK_ESTIMATE(15, 44, 32);
#include "particles/smoothing_kernels.glsl"
#include "neighbours/pair.glsl"

struct velocity_sum {
    vec3 curl, change; // the curl is summed over pairs in position units
};

void add_pair(inout velocity_sum sum, ivec4 own, vec4 velocity, uint j)
{
    ivec4 other = TEXEL(iterated_positions, j);
    vec4 other_velocity = FLOAT_TEXEL(new_velocities, j);
    vec3 d = pair_offset_steps(own.xyz, other.xyz);
    float r2 = pair_distance2_steps(d);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    float t = max(1.0 - r2, 0.0);
    vec3 difference = other_velocity.xyz - velocity.xyz;
    sum.curl += cross(difference, d) * (g * g * inverse);
    float share = 0.5 * (max(velocity.w, 0.0) + max(other_velocity.w, 0.0)) * t * t * t;
    if (!UNIFORM_MASS) {
        float weight = intBitsToFloat(own.w);
        share *= 2.0 * weight / max(weight + intBitsToFloat(other.w), 1e-30);
    }
    sum.change += difference * share;
}

void main()
{
    NEAR_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(iterated_positions, i);
    vec4 velocity = FLOAT_TEXEL(new_velocities, i);
    uint count = neighbour_headers[i] & GRID_COUNT_MASK;
    velocity_sum sum = velocity_sum(vec3(0.0), vec3(0.0));
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own, velocity, j))
    vec3 curl = sum.curl * pair_step_over_h * params.spiky;
    vec3 change = sum.change * (params.poly6 * min(status.dt / params.reference_dt, 2.0));
    float magnitude = length(curl);
    vorticities[i] = vec4(curl, magnitude);
    vorticity_magnitudes[i] = magnitude; // of neighbours, only this is read
    velocity_changes[i] = vec4(change, 0.0);
}
