// First of two passes of the statistics: sums the particles of each workgroup in a fixed order;
// SIM_STATS_PER_INVOCATION particles per invocation. The lanes read adjacent elements.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
READ_ANY(positions);
READ_ANY(velocities);
READ_ANY(densities);
WRITE_ANY(statistics_partials);
READ_ANY(neighbour_headers);
#include "reduce/statistics.glsl"

// Returns the potential energy of 1 kg at p, J, in gravity and central force fields.
float potential_at(vec3 p)
{
    float sum = -dot(params.gravity.xyz, p);
    uint n = params.force_count;
    for (uint f = 0u; f < n; f++) {
        vec3 offset = p - params.forces[f].centre.xyz;
        if (params.planar != 0u) offset.z = 0.0;
        sum += 0.5 * params.forces[f].low.w * dot(offset, offset);
    }
    return sum;
}

void add_particle(inout sim_statistics sum, uint i)
{
    ivec4 own = positions[i];
    vec3 position = fixed_to_metres(own.xyz);
    vec3 velocity = velocities[i].xyz;
    sim_fluid fluid = params.fluids[own.w];
    float error = max(densities[i] / fluid.density - 1.0, 0.0);
    float speed2 = dot(velocity, velocity);
    sum.momentum += vec4(velocity, 0.5 * speed2) * fluid.mass;
    sum.moment += vec4(position, 1.0) * fluid.mass;
    sum.potential += fluid.mass * potential_at(position);
    sum.error_sum += error;
    sum.error_max = max(sum.error_max, error);
    sum.speed_max = max(sum.speed_max, sqrt(speed2));
    uint neighbours = neighbour_headers[i] & GRID_COUNT_MASK;
    sum.neighbours += neighbours;
    sum.neighbours_max = max(sum.neighbours_max, neighbours);
    sum.count++;
    if (not_finite(speed2)) sum.non_finite++;
}

void main()
{
    uint lane = gl_LocalInvocationIndex, group = invocation_index() / SIM_STATS_WORKGROUP;
    uint first = group * SIM_STATS_PER_WORKGROUP + lane, n = state.live;
    sim_statistics sum = zero_stats();
    for (uint k = 0u; k < SIM_STATS_PER_INVOCATION; k++) {
        uint i = first + k * SIM_STATS_WORKGROUP;
        if (i < n) add_particle(sum, i);
    }
    workgroup_sum_stats(sum);
    if (lane == 0u) statistics_partials[group] = sum;
}
