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

bool is_finite(uint i)
{
    vec3 velocity = velocities[i].xyz;
    return !not_finite(dot(velocity, velocity)) && !not_finite(densities[i]) &&
           positions[i].x != SIM_INVALID_POSITION;
}

// Each of these sums has a loop of its own, because all of them together would take too many registers.
void add_momentum(inout sim_fixed_sum4 momentum, uint i, stats_scale scale)
{
    vec3 velocity = velocities[i].xyz;
    float weight = params.fluids[positions[i].w].mass * scale.per_mass;
    vec4 motion = vec4(velocity, 0.5 * dot(velocity, velocity) * scale.per_speed);
    fixed_terms4_add(momentum, motion * (weight * scale.of_speed), scale.limit);
}

void add_moment(inout sim_fixed_sum4 moment, uint i, stats_scale scale)
{
    ivec4 own = positions[i];
    float weight = params.fluids[own.w].mass * scale.per_mass;
    vec4 place = vec4(fixed_to_metres(own.xyz) * scale.of_place, STATS_FRACTION_UNITS);
    fixed_terms4_add(moment, place * weight, scale.limit);
}

// Adds density error and potential energy, and finds the maxima.
void add_others(inout sim_fixed_sum4 others, inout vec2 most, uint i, stats_scale scale)
{
    ivec4 own = positions[i];
    sim_fluid fluid = params.fluids[own.w];
    float error = max(densities[i] / fluid.density - 1.0, 0.0);
    float weight = fluid.mass * scale.per_mass;
    float potential = weight * scale.of_potential * potential_at(fixed_to_metres(own.xyz));
    fixed_terms4_add(others, vec4(error * STATS_SPEED_UNITS, potential, 0.0, 0.0), scale.limit);
    most = max(most, vec2(error, length(velocities[i].xyz)));
}

void main()
{
    uint lane = gl_LocalInvocationIndex, group = invocation_index() / SIM_STATS_WORKGROUP;
    uint first = group * SIM_STATS_PER_WORKGROUP + lane, n = state.live;
    uint last = min(first + SIM_STATS_PER_WORKGROUP - lane, n);
    stats_scale scale = find_scale(n);
    clear_stats(lane);
    sim_fixed_sum4 terms = fixed_terms4_zero();
    for (uint i = first; i < last; i += SIM_STATS_WORKGROUP)
        if (is_finite(i)) add_momentum(terms, i, scale);
    lane_sums[lane].momentum = fixed_sum4_from_terms(terms);
    terms = fixed_terms4_zero();
    for (uint i = first; i < last; i += SIM_STATS_WORKGROUP)
        if (is_finite(i)) add_moment(terms, i, scale);
    lane_sums[lane].moment = fixed_sum4_from_terms(terms);
    terms = fixed_terms4_zero();
    vec2 most = vec2(0.0);
    uint lost = 0u, count = 0u, neighbours = 0u, most_neighbours = 0u;
    for (uint i = first; i < last; i += SIM_STATS_WORKGROUP) {
        uint own = neighbour_headers[i] & GRID_COUNT_MASK;
        neighbours += own;
        most_neighbours = max(most_neighbours, own);
        count++;
        if (is_finite(i)) add_others(terms, most, i, scale);
        else lost++;
    }
    lane_sums[lane].others = fixed_sum4_from_terms(terms);
    lane_sums[lane].error_max = most.x;
    lane_sums[lane].speed_max = most.y;
    lane_sums[lane].neighbours = neighbours;
    lane_sums[lane].neighbours_max = most_neighbours;
    lane_sums[lane].count = count;
    lane_sums[lane].non_finite = lost;
    workgroup_sum_stats();
    if (lane == 0u) statistics_partials[group] = lane_sums[0];
}
