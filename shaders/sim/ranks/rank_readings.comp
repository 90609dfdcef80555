// Reports what gauges and the impulses of solids have summed in this substep to the host, or puts the sums of
// all ranks in their place (RANK_READINGS_APPLY). One workgroup per gauge, the number of which pass.constant
// has, too, then one per solid.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"
#include "ranks.h"

BLOCK(state);
BLOCK(status);
READ_ANY(gauges);
UPDATE_ANY(gauge_histograms);
UPDATE_ANY(gauge_partial_sums);
UPDATE_ANY(solid_impulse_sums);
UPDATE_ANY(rank_readings);
#include "reduce/gauge_sums.glsl"

void exchange_histogram(uint first, uint words, bool applies, uint lane)
{
    for (uint k = first + lane; k < first + words; k += SIM_STATS_WORKGROUP) {
        if (applies) gauge_histograms[k] = rank_readings[k];
        else rank_readings[k] = gauge_histograms[k];
    }
}

void report_sum(uint k, uint count, uint lane)
{
    sim_fixed_sum4 sum = gauge_sum(k, count, lane);
    for (uint c = lane; c < 4u; c += SIM_STATS_WORKGROUP) {
        rank_readings[k * SIM_GAUGE_HISTOGRAM_BINS + c] = sum.low[c];
        rank_readings[k * SIM_GAUGE_HISTOGRAM_BINS + 4u + c] = sum.high[c];
    }
}

// The first partial sum becomes the total.
void apply_sum(uint k, uint count, uint lane)
{
    sim_fixed_sum4 sum = fixed_terms4_zero();
    uint first = k * SIM_GAUGE_HISTOGRAM_BINS, groups = gauge_sum_groups();
    for (uint c = 0u; c < 4u && lane == 0u; c++) {
        sum.low[c] = rank_readings[first + c];
        sum.high[c] = rank_readings[first + 4u + c];
    }
    for (uint group = lane; group < groups; group += SIM_STATS_WORKGROUP) {
        gauge_partial_sums[group * count + k] = sum;
        sum = fixed_terms4_zero();
    }
}

void exchange_impulse(uint solid, uint first, bool applies, uint lane)
{
    for (uint k = lane; k < SIM_SOLID_IMPULSE_WORDS; k += SIM_STATS_WORKGROUP) {
        uint at = solid * SIM_SOLID_IMPULSE_WORDS + k;
        if (applies) solid_impulse_sums[at] = rank_readings[first + at];
        else rank_readings[first + at] = solid_impulse_sums[at];
    }
}

void main()
{
    uint k = workgroup_index(), lane = gl_LocalInvocationIndex;
    uint count = pass.constant & ~RANK_READINGS_APPLY;
    bool applies = count != pass.constant;
    if (state.flags != 0u || status.running == 0u) return;
    if (k >= count) {
        exchange_impulse(k - count, count * SIM_GAUGE_HISTOGRAM_BINS, applies, lane);
        return;
    }
    sim_gauge gauge = gauges[k];
    uint words = gauge.kind == SIM_GAUGE_FLOW ? 1u : gauge.bin_count, first = k * SIM_GAUGE_HISTOGRAM_BINS;
    bool summed = gauge.kind == SIM_GAUGE_PRESSURE || gauge.kind == SIM_GAUGE_FORCE;
    if (!summed) exchange_histogram(first, words, applies, lane);
    if (summed && !applies) report_sum(k, count, lane);
    if (summed && applies) apply_sum(k, count, lane);
}
