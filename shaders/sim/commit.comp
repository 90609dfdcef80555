// Ends a substep. Adds to the velocity: vorticity confinement (Macklin and Mueller 2013, equation 16, not
// divided by the curl), XSPH and surface tension. Makes the last iterate the position of the next substep.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_WRITE(positions);
OWN_READ(new_velocities);
OWN_WRITE(velocities);
OWN_READ(velocity_changes);
FETCH_FLOATS(vorticities);
FETCH(iterates);
OWN_READ(starts);
OWN_READ(sorted_ids);
OWN_WRITE(ids);
OWN_READ(lists);
OWN_READ(headers);
BLOCK(grid);
WORK(33, 21, 32);
#include "pairs.glsl"
#include "listed.glsl"

void add_pair(inout vec3 sum, ivec3 p, float size, uint j)
{
    vec3 d = pair_steps(p, FETCHED(iterates, j).xyz);
    float r2 = pair_steps2(d);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    sum -= d * ((FETCHED_FLOATS(vorticities, j).w - size) * g * g * inverse);
}

// The gradient of |curl| at particle i, up to a positive factor: only its direction counts.
vec3 curl_gradient(uint i, ivec3 p)
{
    float size = FETCHED_FLOATS(vorticities, i).w;
    uint count = headers[i] & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, p, size, j.x);
        add_pair(sum, p, size, j.y);
        add_pair(sum, p, size, j.z);
        add_pair(sum, p, size, j.w);
    }
    return sum * pair_unit;
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = FETCHED(iterates, i).xyz;
    vec3 velocity = new_velocities[i].xyz;
    if (CHANGED) velocity += velocity_changes[i].xyz;
    if (CONFINED) {
        vec3 eta = curl_gradient(i, p);
        float size = length(eta);
        if (size > 0.0)
            velocity += status.dt * params.vorticity * cross(eta / size, FETCHED_FLOATS(vorticities, i).xyz);
    }
    if (PERIODIC && p.x != SIM_LOST) p = fixed_wrapped(p);
    positions[i] = ivec4(p, starts[i].w);
    velocities[i] = vec4(velocity, 0.0);
    ids[i] = sorted_ids[i];
}
