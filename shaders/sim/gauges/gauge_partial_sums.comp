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

// Integers of the sums per SI unit, and the largest value that is added.
struct gauge_scale {
    float of_pressure, of_push, limit;
};

// A correction omega lambda V grad W equals dt^2 p / rho0 V grad W of a pressure p.
gauge_scale find_scale()
{
    float per_lambda = params.relaxation / (status.dt * status.dt);
    return gauge_scale(per_lambda / gauge_pressure_unit(), 1.0 / gauge_push_unit(),
                       fixed_sum_limit(2u * state.everyone));
}

void add_pressure(inout sim_fixed_sum4 terms, sim_gauge gauge, uint i, gauge_scale scale)
{
    ivec4 own = positions[i];
    vec3 d = fixed_to_metres(own.xyz) - gauge.min.xyz;
    d -= params.period.xyz * round(d / max(params.period.xyz, vec3(1e-30)));
    float t = max(1.0 - dot(d, d) / (gauge.min.w * gauge.min.w), 0.0), weight = t * t * t;
    float density = params.fluids[uint(own.w)].density;
    float pressure = gauge_accumulators[i * GAUGE_VECTORS].w * density * scale.of_pressure;
    if (weight > 0.0 && !not_finite(pressure))
        fixed_terms4_add(terms, weight * vec4(pressure, 0.0, 0.0, GAUGE_WEIGHT_UNITS), scale.limit);
}

void add_push(inout sim_fixed_sum4 terms, uint at, gauge_scale scale)
{
    vec3 push = gauge_accumulators[at].xyz;
    if (any(not_finite(push))) return; // of a particle that becomes non-finite
    fixed_terms4_add(terms, vec4(push * scale.of_push, 0.0), scale.limit);
}

// Sums the particles of an invocation. Slots up to `live` belong to the particles after the sort, those up to
// `all` to the particles before it, without those that another rank has sent since.
sim_fixed_sum4 sum_particles(sim_gauge gauge, uint first, uint all, uint live)
{
    sim_fixed_sum4 terms = fixed_terms4_zero();
    gauge_scale scale = find_scale();
    if (gauge.kind == SIM_GAUGE_PRESSURE)
        for (uint i = first; i < live; i += SIM_STATS_WORKGROUP) add_pressure(terms, gauge, i, scale);
    if (gauge.kind != SIM_GAUGE_FORCE) return fixed_sum4_from_terms(terms);
    uint slot = gauge.force_slot - 1u;
    for (uint i = first; i < all; i += SIM_STATS_WORKGROUP) add_push(terms, i * GAUGE_VECTORS + slot, scale);
    slot += GAUGE_VECTORS / 2u;
    for (uint i = first; i < live; i += SIM_STATS_WORKGROUP) add_push(terms, i * GAUGE_VECTORS + slot, scale);
    return fixed_sum4_from_terms(terms);
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    uint live = state.flags == 0u ? state.live : 0u;
    uint all = state.flags == 0u ? status.count + status.emitted_count : 0u;
    uint count = pass.constant, group = invocation_index() / SIM_STATS_WORKGROUP;
    uint first = group * SIM_STATS_PER_WORKGROUP, end = first + SIM_STATS_PER_WORKGROUP;
    for (uint k = 0u; k < count; k++) {
        sim_gauge gauge = gauges[k];
        bool summed = gauge.kind == SIM_GAUGE_PRESSURE || gauge.kind == SIM_GAUGE_FORCE;
        if (!summed) continue; // the same for the whole workgroup
        lanes[lane] = sum_particles(gauge, first + lane, min(end, all), min(end, live));
        workgroup_sum();
        if (lane == 0u) gauge_partial_sums[group * count + k] = lanes[0];
        barrier(); // before the next gauge's sums replace these
    }
}
