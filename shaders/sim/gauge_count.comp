// Gauges of height, front and flow: every particle counts itself, in whole numbers, where it stands in
// the boxes and which discs it has crossed in this substep.
// Reads x, a, start; writes bins.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_X) readonly buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_A) readonly buffer a_block { ivec4 a[]; };
layout(std430, binding = SIM_BIND_START) readonly buffer start_block { ivec4 start[]; };
layout(std430, binding = SIM_BIND_GAUGES) readonly buffer gauges_block { sim_gauge gauges[]; };
layout(std430, binding = SIM_BIND_BINS) buffer bins_block { uint bins[]; };

void count_level(sim_gauge gauge, uint first, vec3 p)
{
    if (any(lessThan(p, gauge.min.xyz)) || any(greaterThanEqual(p, gauge.max.xyz))) return;
    uint axis = gauge.axis >> 1;
    float way = (gauge.axis & 1u) == 0u ? p[axis] - gauge.min[axis] : gauge.max[axis] - p[axis];
    atomicAdd(bins[first + min(uint(way / gauge.bin_m), gauge.bins - 1u)], 1u);
}

bool crosses(sim_gauge gauge, vec3 from, vec3 to)
{
    float before = dot(from - gauge.min.xyz, gauge.max.xyz);
    float after = dot(to - gauge.min.xyz, gauge.max.xyz);
    if ((before < 0.0) == (after < 0.0)) return false;
    vec3 place = mix(from, to, before / (before - after));
    return gauge.min.w <= 0.0 || distance(place, gauge.min.xyz) <= gauge.min.w;
}

// Two ways stand for one where a periodic side was passed: that of the start and that of the end.
void count_flow(sim_gauge gauge, uint first, uint i)
{
    vec3 from = place_metres(start[i].xyz), to = place_metres(a[i].xyz);
    vec3 way = place_way(a[i].xyz, start[i].xyz), end = place_metres(x[i].xyz);
    if (!crosses(gauge, from, to) && !crosses(gauge, end - way, end)) return;
    atomicAdd(bins[first], dot(way, gauge.max.xyz) >= 0.0 ? 1u : 0xffffffffu);
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    vec3 p = place_metres(x[i].xyz);
    uint count = row.constant;
    for (uint k = 0u; k < count; k++) {
        sim_gauge gauge = gauges[k];
        if (gauge.kind <= SIM_GAUGE_FRONT) count_level(gauge, k * SIM_GAUGE_BINS, p);
        if (gauge.kind == SIM_GAUGE_FLOW) count_flow(gauge, k * SIM_GAUGE_BINS, i);
    }
}
