// Sums the particles' contributions to the gauges of pressure and force over each workgroup, in a fixed
// order. A sum is a force in N (xyz), or pressure times weight (x) and weight (w).
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(positions);
READ_ANY(gauges);
READ_ANY(gauge_accumulators);
WRITE_ANY(gauge_partial_sums);

#include "reduce/stats_lanes.glsl"

// A correction omega lambda V grad W equals dt^2 p / rho0 V grad W of a pressure p.
vec4 pressure_at(sim_gauge gauge, uint i)
{
    vec3 d = fixed_to_metres(positions[i].xyz) - gauge.min.xyz;
    d -= params.period.xyz * round(d / max(params.period.xyz, vec3(1e-30)));
    float t = max(1.0 - dot(d, d) / (gauge.min.w * gauge.min.w), 0.0), weight = t * t * t;
    float density = params.fluids[uint(positions[i].w)].density;
    float pressure =
        params.relaxation * gauge_accumulators[i * GAUGE_VECTORS].w * density / (status.dt * status.dt);
    return weight > 0.0 ? vec4(weight * pressure, 0.0, 0.0, weight) : vec4(0.0);
}

vec4 particle_contribution(sim_gauge gauge, uint i)
{
    if (gauge.kind == SIM_GAUGE_PRESSURE) return pressure_at(gauge, i);
    return vec4(-gauge_accumulators[i * GAUGE_VECTORS + gauge.force_slot].xyz / (status.dt * status.dt), 0.0);
}

void main()
{
    uint lane = gl_LocalInvocationIndex, live = state.flags == 0u ? state.live : 0u;
    uint count = pass.constant, group = invocation_index() / SIM_STATS_WORKGROUP;
    uint first = group * SIM_STATS_PER_WORKGROUP, last = min(first + SIM_STATS_PER_WORKGROUP, live);
    for (uint k = 0u; k < count; k++) {
        sim_gauge gauge = gauges[k];
        vec4 sum = vec4(0.0);
        bool summed = gauge.kind == SIM_GAUGE_PRESSURE || gauge.kind == SIM_GAUGE_FORCE;
        if (summed)
            for (uint i = first + lane; i < last; i += SIM_STATS_WORKGROUP)
                sum += particle_contribution(gauge, i);
        lanes[lane] = sum;
        workgroup_sum();
        if (lane == 0u && summed) gauge_partial_sums[group * count + k] = lanes[0];
    }
}
