// Adds statistics over a workgroup of SIM_STATS_WORKGROUP lanes. All sums are integers, so neither the order
// of the particles nor their distribution over workgroups changes a bit.
// Buffers: params.
#ifndef REDUCE_STATISTICS_GLSL
#define REDUCE_STATISTICS_GLSL
#include "reduce/fixed_sum4.glsl"

// Fine enough that the rounding of single particles does not show in a sum, and coarse enough that speeds up
// to some hundred spacings per reference step fit in.
const float STATS_SPEED_UNITS = 16777216.0;     // of a spacing per reference step
const float STATS_FRACTION_UNITS = 1073741824.0; // of numbers up to 1

// Returns the mass of the heaviest fluid's particles, kg, to which masses are related.
float stats_mass() { return params.fluids[0].mass * (params.max_density / params.fluids[0].density); }

float stats_speed() { return params.spacing / params.reference_dt; }

// Returns an upper bound of the distance from the origin to a point of the domain, m.
float stats_length()
{
    vec3 low = abs(params.domain_min.xyz), high = abs(fixed_to_metres(params.fixed_max.xyz));
    vec3 far = max(low, high);
    return far.x + far.y + far.z + params.spacing;
}

// Returns an upper bound of the potential energy of 1 kg in the domain, J.
float stats_potential()
{
    float far = stats_length(), sum = length(params.gravity.xyz) * far;
    uint n = params.force_count;
    for (uint f = 0u; f < n; f++) {
        float reach = far + length(params.forces[f].centre.xyz);
        sum += 0.5 * abs(params.forces[f].low.w) * reach * reach;
    }
    return max(sum, 1e-20);
}

shared sim_statistics_sums lane_sums[SIM_STATS_WORKGROUP]; // of each lane; registers would be too many

void clear_stats(uint lane)
{
    sim_fixed_sum4 zero = sim_fixed_sum4(uvec4(0u), uvec4(0u));
    lane_sums[lane] = sim_statistics_sums(zero, zero, zero, 0.0, 0.0, 0u, 0u, 0u, 0u, 0u, 0u);
}

// Adds statistics to those of a lane, member by member: `other` may be an element of a buffer.
#define ADD_STATS(lane, other)                                                                        \
    {                                                                                                 \
        fixed_sum4_add(lane_sums[lane].momentum, (other).momentum);                                   \
        fixed_sum4_add(lane_sums[lane].moment, (other).moment);                                       \
        fixed_sum4_add(lane_sums[lane].others, (other).others);                                       \
        lane_sums[lane].error_max = max(lane_sums[lane].error_max, (other).error_max);                \
        lane_sums[lane].speed_max = max(lane_sums[lane].speed_max, (other).speed_max);                \
        lane_sums[lane].neighbours += (other).neighbours;                                             \
        lane_sums[lane].neighbours_max = max(lane_sums[lane].neighbours_max, (other).neighbours_max); \
        lane_sums[lane].count += (other).count;                                                       \
        lane_sums[lane].non_finite += (other).non_finite;                                             \
    }

// Adds the sums of all lanes to those of lane 0, the upper half to the lower half. All lanes must call it.
void workgroup_sum_stats()
{
    uint lane = gl_LocalInvocationIndex;
    for (uint half_way = SIM_STATS_WORKGROUP / 2u; half_way > 0u; half_way >>= 1) {
        barrier();
        if (lane < half_way) ADD_STATS(lane, lane_sums[lane + half_way])
    }
}
#endif
