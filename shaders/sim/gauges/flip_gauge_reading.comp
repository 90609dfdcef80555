// Reads the gauges of pressure and force from the MAC grid; one workgroup per gauge. The pressure is the
// weighted mean over the open cells in a ball, with 0 in air, extrapolated to the ball's centre by the mean
// gradient, so that a gauge at a wall reads the wall pressure. Sums in a fixed order.
#version 460
#define WORKGROUP SIM_STATS_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
READ_ANY(face_velocities);
READ_ANY(face_velocity_changes);
READ_ANY(viscous_velocities);
READ_ANY(face_masses);
READ_ANY(gauges);
READ_ANY(block_forces);
WRITE_ANY(gauge_readings);
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"
#include "mac/cell_state.glsl"

shared vec4 weighted_offsets[SIM_STATS_WORKGROUP]; // xyz offsets from the gauge, m, w weights
shared vec4 pressures[SIM_STATS_WORKGROUP]; // xyz gradients, w pressures

// Adds an open cell, at `offset` from the gauge, m.
void add_cell(ivec3 at, vec3 offset, float radius, inout vec4 place, inout vec4 pressure)
{
    float t = max(1.0 - dot(offset, offset) / (radius * radius), 0.0), weight = t * t * t;
    ivec3 inside = cell_inside_domain(at);
    bvec3 turns = greaterThan(params.period.xyz, vec3(0.0));
    if (weight == 0.0 || inside != mix(at, inside, turns)) return;
    uint i = cell_index(uvec3(inside));
    float level = i == POISSON_NONE ? 0.0 : uintBitsToFloat(cells[i].w);
    if (level >= POISSON_CLOSED) return;
    place += weight * vec4(offset, 1.0);
    if (level >= 0.0) return;
    mac_cell_state middle = mac_find_cell_state(i / POISSON_BLOCK_CELLS, i % POISSON_BLOCK_CELLS, inside);
    pressure += weight * vec4(middle.pressure_gradient, middle.pressure);
}

float pressure_at(sim_gauge gauge, uint lane)
{
    vec3 size = params.cell_size.xyz, centre = gauge.min.xyz, reach = vec3(gauge.min.w);
    if (params.planar != 0u) centre.z = params.plane, reach.z = 0.0;
    ivec3 low = ivec3(floor((centre - reach - params.domain_min.xyz) / size));
    ivec3 high = ivec3(floor((centre + reach - params.domain_min.xyz) / size));
    if (params.planar != 0u) low.z = high.z = 0;
    int rows = (high.y - low.y + 1) * (high.z - low.z + 1);
    vec4 place = vec4(0.0), pressure = vec4(0.0);
    for (int k = int(lane); k < rows; k += int(SIM_STATS_WORKGROUP)) {
        ivec3 at = low + ivec3(0, k % (high.y - low.y + 1), k / (high.y - low.y + 1));
        for (; at.x <= high.x; at.x++) {
            vec3 offset = params.domain_min.xyz + (vec3(at) + 0.5) * size - centre;
            if (params.planar != 0u) offset.z = 0.0;
            add_cell(at, offset, gauge.min.w, place, pressure);
        }
    }
    weighted_offsets[lane] = place;
    pressures[lane] = pressure;
    barrier();
    if (lane != 0u) return 0.0;
    for (uint k = 1u; k < SIM_STATS_WORKGROUP; k++) {
        place += weighted_offsets[k];
        pressure += pressures[k];
    }
    float weight = max(place.w, 1e-30);
    float found = (pressure.w - dot(pressure.xyz, place.xyz) / weight) / weight;
    return params.fluids[0].density * found / status.dt;
}

vec3 force_on(sim_gauge gauge, uint lane)
{
    vec4 sum = vec4(0.0);
    uint count = solve.firsts[1];
    for (uint block = lane; block < count; block += SIM_STATS_WORKGROUP)
        sum += block_forces[block * SIM_MAX_FORCE_GAUGE_SOLIDS + gauge.force_slot - 1u];
    weighted_offsets[lane] = sum;
    barrier();
    for (uint k = 1u; k < SIM_STATS_WORKGROUP && lane == 0u; k++) sum += weighted_offsets[k];
    return sum.xyz;
}

void main()
{
    uint k = workgroup_index(), lane = gl_LocalInvocationIndex;
    if (state.flags != 0u || status.running == 0u) return;
    sim_gauge gauge = gauges[k];
    vec4 reading = vec4(0.0);
    if (gauge.kind == SIM_GAUGE_MAC_PRESSURE) reading.x = pressure_at(gauge, lane);
    else if (gauge.kind == SIM_GAUGE_MAC_FORCE) reading.xyz = force_on(gauge, lane);
    else return;
    if (lane == 0u) gauge_readings[pass.outer * pass.constant + k] = reading;
}
