// Computes the reading of each gauge in this substep, N (xyz), or m, Pa or m3/s (x), and clears the bins for
// the next substep; one workgroup per gauge.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(gauges);
REDUCTION(gauge_histograms);
READ_ANY(gauge_partial_sums);
WRITE_ANY(gauge_readings);

#include "reduce/gauge_units.glsl"
#include "reduce/gauge_sums.glsl"

shared uint filled, farthest;

// Counts the particles in the slab, one spacing thick, around a bin.
uint count_slab(sim_gauge gauge, uint first, uint bin)
{
    uint low = max(bin, gauge.slab_half_bins) - gauge.slab_half_bins;
    uint high = min(bin + gauge.slab_half_bins + 1u, gauge.bin_count), sum = 0u;
    for (uint k = low; k < high; k++) sum += gauge_histograms[first + k];
    return sum;
}

// Returns the height or front, m. A bin is filled if the slab around it holds at least half a layer, which
// holds up to half a spacing from a layer. The lanes add integers, so their order does not matter.
float read_level(sim_gauge gauge, uint first, uint lane)
{
    if (lane == 0u) filled = farthest = 0u;
    barrier();
    for (uint bin = lane; bin < gauge.bin_count; bin += gl_WorkGroupSize.x) {
        if (count_slab(gauge, first, bin) < gauge.half_layer_count) continue;
        atomicAdd(filled, 1u);
        atomicMax(farthest, bin + 1u);
    }
    barrier();
    uint reached = gauge.kind == SIM_GAUGE_HEIGHT ? filled : farthest;
    for (uint k = lane; k < gauge.bin_count; k += gl_WorkGroupSize.x) gauge_histograms[first + k] = 0u;
    return float(reached) * gauge.bin_width_m;
}

float read_flow(uint first, uint lane)
{
    int crossed = int(gauge_histograms[first]);
    barrier();
    if (lane == 0u) gauge_histograms[first] = 0u;
    float d = params.spacing, volume = d * d * (params.planar != 0u ? 1.0 : d);
    return float(crossed) * volume / status.dt;
}

void main()
{
    uint k = workgroup_index(), lane = gl_LocalInvocationIndex, first = k * SIM_GAUGE_HISTOGRAM_BINS;
    if (state.flags != 0u || status.running == 0u) return;
    sim_gauge gauge = gauges[k];
    if (gauge.kind > SIM_GAUGE_FLOW) return; // flip_gauge_reading.comp reads it
    vec4 reading = vec4(0.0);
    if (gauge.kind <= SIM_GAUGE_FRONT) reading.x = read_level(gauge, first, lane);
    if (gauge.kind == SIM_GAUGE_FLOW) reading.x = read_flow(first, lane);
    if (gauge.kind == SIM_GAUGE_FORCE)
        reading = fixed_sum4_value(gauge_sum(k, pass.constant, lane)) *
                  (-gauge_push_unit() / (status.dt * status.dt));
    if (gauge.kind == SIM_GAUGE_PRESSURE) {
        vec4 sum = fixed_sum4_value(gauge_sum(k, pass.constant, lane));
        float per_weight = gauge_pressure_unit() * GAUGE_WEIGHT_UNITS;
        reading.x = sum.w > 0.0 ? sum.x / sum.w * per_weight : 0.0;
    }
    if (lane == 0u) gauge_readings[pass.outer * pass.constant + k] = reading;
}
