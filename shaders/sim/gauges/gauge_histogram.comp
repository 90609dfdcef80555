// Fills the histograms of the gauges of height, front and flow; one invocation per particle. Each particle
// increments the bin of every box that contains it and of every disc that it crossed in this substep, with
// integer atomics.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
READ_OWN(positions);
READ_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_ANY(gauges);
ATOMIC(gauge_histograms);

void count_in_box(sim_gauge gauge, uint first, vec3 p)
{
    if (any(lessThan(p, gauge.min.xyz)) || any(greaterThanEqual(p, gauge.max.xyz))) return;
    uint axis = gauge.axis >> 1;
    float along = (gauge.axis & 1u) == 0u ? p[axis] - gauge.min[axis] : gauge.max[axis] - p[axis];
    atomicAdd(gauge_histograms[first + min(uint(along / gauge.bin_width_m), gauge.bin_count - 1u)], 1u);
}

bool crosses_disc(sim_gauge gauge, vec3 from, vec3 to)
{
    float before = dot(from - gauge.min.xyz, gauge.max.xyz);
    float after = dot(to - gauge.min.xyz, gauge.max.xyz);
    if ((before < 0.0) == (after < 0.0)) return false;
    vec3 crossing = mix(from, to, before / (before - after));
    return gauge.min.w <= 0.0 || distance(crossing, gauge.min.xyz) <= gauge.min.w;
}

// Counts a crossing of the disc. A path through a periodic side has two images: one from its start and one to
// its end.
void count_crossing(sim_gauge gauge, uint first, uint i)
{
    vec3 from = fixed_to_metres(sorted_positions[i].xyz), to = fixed_to_metres(iterated_positions[i].xyz);
    vec3 path = fixed_offset(iterated_positions[i].xyz, sorted_positions[i].xyz);
    vec3 end = fixed_to_metres(positions[i].xyz);
    if (!crosses_disc(gauge, from, to) && !crosses_disc(gauge, end - path, end)) return;
    atomicAdd(gauge_histograms[first], dot(path, gauge.max.xyz) >= 0.0 ? 1u : 0xffffffffu);
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    vec3 p = fixed_to_metres(positions[i].xyz);
    uint count = pass.constant;
    for (uint k = 0u; k < count; k++) {
        sim_gauge gauge = gauges[k];
        if (gauge.kind <= SIM_GAUGE_FRONT) count_in_box(gauge, k * SIM_GAUGE_HISTOGRAM_BINS, p);
        if (gauge.kind == SIM_GAUGE_FLOW) count_crossing(gauge, k * SIM_GAUGE_HISTOGRAM_BINS, i);
    }
}
