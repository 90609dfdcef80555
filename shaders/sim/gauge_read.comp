// One workgroup for each gauge: its reading of this substep, xyz newton, or x in metres, pascal or m3/s.
// Empties the bins for the next substep.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(gauges);
REDUCTION(bins);
READ_ANY(gauge_partials);
WRITE_ANY(readings);

#include "reduce/stats_lanes.glsl"

shared uint filled, farthest;

// Particles in the slab of one spacing about a bin.
uint slab(sim_gauge gauge, uint first, uint bin)
{
    uint low = max(bin, gauge.half_window) - gauge.half_window;
    uint high = min(bin + gauge.half_window + 1u, gauge.bins), sum = 0u;
    for (uint k = low; k < high; k++) sum += bins[first + k];
    return sum;
}

// A bin is filled when the slab about it holds at least half a layer, that is up to half a spacing from a
// layer. Lanes add whole numbers, so that their order does not matter.
float level(sim_gauge gauge, uint first, uint lane)
{
    if (lane == 0u) filled = farthest = 0u;
    barrier();
    for (uint bin = lane; bin < gauge.bins; bin += gl_WorkGroupSize.x) {
        if (slab(gauge, first, bin) < gauge.half_layer) continue;
        atomicAdd(filled, 1u);
        atomicMax(farthest, bin + 1u);
    }
    barrier();
    uint reached = gauge.kind == SIM_GAUGE_HEIGHT ? filled : farthest;
    for (uint k = lane; k < gauge.bins; k += gl_WorkGroupSize.x) bins[first + k] = 0u;
    return float(reached) * gauge.bin_m;
}

float flow(uint first, uint lane)
{
    int crossed = int(bins[first]);
    barrier();
    if (lane == 0u) bins[first] = 0u;
    float d = params.spacing, volume = d * d * (params.planar != 0u ? 1.0 : d);
    return float(crossed) * volume / status.dt;
}

vec4 summed(uint k, uint lane)
{
    uint count = row.constant, groups = (state.live + SIM_STATS_SHARE - 1u) / SIM_STATS_SHARE;
    for (uint part = lane; part < SIM_STATS_WORKGROUP; part += gl_WorkGroupSize.x) {
        vec4 sum = vec4(0.0);
        for (uint group = part; group < groups; group += SIM_STATS_WORKGROUP)
            sum += gauge_partials[group * count + k];
        lanes[part] = sum;
    }
    lanes_join();
    return lanes[0];
}

void main()
{
    uint k = row_group(), lane = gl_LocalInvocationIndex, first = k * SIM_GAUGE_BINS;
    if (state.flags != 0u || status.running == 0u) return;
    sim_gauge gauge = gauges[k];
    if (gauge.kind > SIM_GAUGE_FLOW) return; // flip_gauge.comp reads it
    vec4 reading = vec4(0.0);
    if (gauge.kind <= SIM_GAUGE_FRONT) reading.x = level(gauge, first, lane);
    if (gauge.kind == SIM_GAUGE_FLOW) reading.x = flow(first, lane);
    if (gauge.kind == SIM_GAUGE_FORCE) reading = summed(k, lane);
    if (gauge.kind == SIM_GAUGE_PRESSURE) {
        vec4 sum = summed(k, lane);
        reading.x = sum.w > 0.0 ? sum.x / sum.w : 0.0;
    }
    if (lane == 0u) readings[row.outer * row.constant + k] = reading;
}
