// Sums the particles' contributions to the gauges of pressure and force over each workgroup, as integers in
// the units of reduce/gauge_units.glsl. A sum is a displacement by the solid times the mass (xyz), or
// pressure times weight (x) and weight (w).
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(positions);
READ_ANY(gauges);
READ_ANY(gauge_accumulators);
WRITE_ANY(gauge_partial_sums);

#include "reduce/gauge_units.glsl"
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
    vec4 sum = vec4(pressure / gauge_pressure_unit(), 0.0, 0.0, GAUGE_WEIGHT_UNITS);
    return weight > 0.0 ? weight * sum : vec4(0.0);
}

void add_push(inout sim_fixed_sum4 terms, uint at, float limit)
{
    vec3 push = gauge_accumulators[at].xyz;
    if (any(not_finite(push))) return; // of a particle that becomes non-finite
    fixed_terms4_add(terms, vec4(push / gauge_push_unit(), 0.0), limit);
}

// Slots up to `live` belong to the particles after the sort, those up to `count` to the particles before it.
void add_particle(inout sim_fixed_sum4 terms, sim_gauge gauge, uint i, uint live)
{
    float limit = fixed_sum_limit(2u * state.count);
    if (gauge.kind == SIM_GAUGE_FORCE) {
        uint at = i * GAUGE_VECTORS + gauge.force_slot - 1u;
        add_push(terms, at, limit);
        if (i < live) add_push(terms, at + GAUGE_VECTORS / 2u, limit);
    } else if (i < live) {
        vec4 pressure = pressure_at(gauge, i);
        if (!not_finite(pressure.x)) fixed_terms4_add(terms, pressure, limit);
    }
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint live = state.flags == 0u ? state.live : 0u, all = state.flags == 0u ? state.count : 0u;
    uint count = pass.constant, group = invocation_index() / SIM_STATS_WORKGROUP;
    uint first = group * SIM_STATS_PER_WORKGROUP, last = min(first + SIM_STATS_PER_WORKGROUP, all);
    for (uint k = 0u; k < count; k++) {
        sim_gauge gauge = gauges[k];
        sim_fixed_sum4 terms = sim_fixed_sum4(uvec4(0u), uvec4(0u));
        bool summed = gauge.kind == SIM_GAUGE_PRESSURE || gauge.kind == SIM_GAUGE_FORCE;
        if (summed)
            for (uint i = first + lane; i < last; i += SIM_STATS_WORKGROUP)
                add_particle(terms, gauge, i, live);
        lanes[lane] = fixed_sum4_from_terms(terms);
        workgroup_sum();
        if (lane == 0u && summed) gauge_partial_sums[group * count + k] = lanes[0];
        barrier(); // before the next gauge's sums replace these
    }
}
