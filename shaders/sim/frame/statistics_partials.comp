// First of two passes of the statistics: sums the particles of each workgroup as integers;
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

// Integers of the sums per SI unit, and the largest value that is added.
struct stats_scale {
    float per_mass, per_speed, of_speed, of_place, of_potential, limit;
};

stats_scale find_scale(uint count)
{
    float per_speed = 1.0 / stats_speed();
    return stats_scale(1.0 / stats_mass(), per_speed, STATS_SPEED_UNITS * per_speed,
                       STATS_FRACTION_UNITS / stats_length(), STATS_FRACTION_UNITS / stats_potential(),
                       fixed_sum_limit(count));
}

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

void add_particle(uint lane, uint i, stats_scale scale)
{
    ivec4 own = positions[i];
    vec3 velocity = velocities[i].xyz;
    sim_fluid fluid = params.fluids[own.w];
    float error = max(densities[i] / fluid.density - 1.0, 0.0);
    float speed2 = dot(velocity, velocity), weight = fluid.mass * scale.per_mass;
    uint neighbours = neighbour_headers[i] & GRID_COUNT_MASK;
    lane_sums[lane].neighbours += neighbours;
    lane_sums[lane].neighbours_max = max(lane_sums[lane].neighbours_max, neighbours);
    lane_sums[lane].count++;
    if (not_finite(speed2) || own.x == SIM_INVALID_POSITION || not_finite(error)) {
        lane_sums[lane].non_finite++;
        return;
    }
    vec4 motion = vec4(velocity, 0.5 * speed2 * scale.per_speed) * (weight * scale.of_speed);
    fixed_terms4_add(lane_sums[lane].momentum, motion, scale.limit);
    vec3 position = fixed_to_metres(own.xyz);
    vec4 place = vec4(position * scale.of_place, STATS_FRACTION_UNITS) * weight;
    fixed_terms4_add(lane_sums[lane].moment, place, scale.limit);
    float potential = weight * scale.of_potential * potential_at(position);
    vec4 others = vec4(error * STATS_SPEED_UNITS, potential, 0.0, 0.0);
    fixed_terms4_add(lane_sums[lane].others, others, scale.limit);
    lane_sums[lane].error_max = max(lane_sums[lane].error_max, error);
    lane_sums[lane].speed_max = max(lane_sums[lane].speed_max, sqrt(speed2));
}

void main()
{
    uint lane = gl_LocalInvocationIndex, group = invocation_index() / SIM_STATS_WORKGROUP;
    uint first = group * SIM_STATS_PER_WORKGROUP + lane, n = state.live;
    stats_scale scale = find_scale(n);
    clear_stats(lane);
    for (uint k = 0u; k < SIM_STATS_PER_INVOCATION; k++) {
        uint i = first + k * SIM_STATS_WORKGROUP;
        if (i < n) add_particle(lane, i, scale);
    }
    lane_sums[lane].momentum = fixed_sum4_from_terms(lane_sums[lane].momentum);
    lane_sums[lane].moment = fixed_sum4_from_terms(lane_sums[lane].moment);
    lane_sums[lane].others = fixed_sum4_from_terms(lane_sums[lane].others);
    workgroup_sum_stats();
    if (lane == 0u) statistics_partials[group] = lane_sums[0];
}
