// The curl of the velocity at every particle (Macklin and Mueller 2013, equation 15: the gradient is
// taken at p_j) and XSPH's change of velocity (equation 17, with the volume of particle j; between unequal
// masses it conserves momentum).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
FETCH_FLOATS(new_velocities);
OWN_WRITE(velocity_changes);
OWN_WRITE(vorticities);
FETCH(iterates);
OWN_READ(lists);
OWN_READ(headers);
BLOCK(grid);
WORK(15, 44, 32);
#include "kernel.glsl"
#include "pairs.glsl"
#include "listed.glsl"

struct velocity_sum {
    vec3 curl, change; // the curl over pairs in steps
};

void add_pair(inout velocity_sum sum, ivec4 own, vec4 velocity, uint j)
{
    ivec4 other = FETCHED(iterates, j);
    vec4 other_velocity = FETCHED_FLOATS(new_velocities, j);
    vec3 d = pair_steps(own.xyz, other.xyz);
    float r2 = pair_steps2(d);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    float t = max(1.0 - r2, 0.0);
    vec3 difference = other_velocity.xyz - velocity.xyz;
    sum.curl += cross(difference, d) * (g * g * inverse);
    float share = 0.5 * (velocity.w + other_velocity.w) * t * t * t;
    if (!ONE_MASS) {
        float weight = intBitsToFloat(own.w);
        share *= 2.0 * weight / (weight + intBitsToFloat(other.w));
    }
    sum.change += difference * share;
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 own = FETCHED(iterates, i);
    vec4 velocity = FETCHED_FLOATS(new_velocities, i);
    uint count = headers[i] & GRID_COUNT_MASK;
    velocity_sum sum = velocity_sum(vec3(0.0), vec3(0.0));
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, own, velocity, j.x);
        add_pair(sum, own, velocity, j.y);
        add_pair(sum, own, velocity, j.z);
        add_pair(sum, own, velocity, j.w);
    }
    vec3 curl = sum.curl * pair_unit * params.spiky;
    vec3 change = sum.change * (params.poly6 * min(status.dt / params.reference_dt, 2.0));
    vorticities[i] = vec4(curl, length(curl));
    velocity_changes[i] = vec4(change, 0.0);
}
