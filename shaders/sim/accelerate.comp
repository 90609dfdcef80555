// WCSPH (Becker and Teschner 2007, equations 6 and 10; Monaghan 1992, equation 4.2): moves the prediction by
// pressure and artificial viscosity, both at the substep's start. A wall pushes along the gradient of its own
// share of the density, so that it gives back the energy that it takes. Last, where there are no solids, the
// particle is moved out of the domain's sides: else wall_collide.comp does it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
ATOMIC(status);
FETCH(start_pressures);
OWN_UPDATE(iterates);
FETCH(sorted_predictions);
OWN_READ(starts);
OWN_UPDATE(measured);
OWN_READ(lists);
OWN_READ(headers);
OWN_UPDATE(wall_sums);
BLOCK(grid);
WORK(25, 34, 32);
#include "measure.glsl"
#include "wall_sides.glsl"
#include "wall_at.glsl"
#include "pairs.glsl"
#include "listed.glsl"

// As if the smoothing length were h / 2: a cubic spline of that length reaches as far as the kernel.
#define SMOOTHING 0.5

// A particle as a pair sees it.
struct half_pair {
    ivec3 start;
    vec3 moved; // m, by the prediction
    float weight, pressure;
};

float viscous_factor;

half_pair find_half(uint i)
{
    ivec4 start = FETCHED(start_pressures, i), prediction = FETCHED(sorted_predictions, i);
    return half_pair(start.xyz, fixed_offset(prediction.xyz, start.xyz), intBitsToFloat(prediction.w),
                     intBitsToFloat(start.w));
}

void add_pair(inout vec3 sum, half_pair own, uint j, bool wanted)
{
    half_pair other = find_half(j);
    vec3 d = pair_offset(own.start, other.start);
    float r2 = pair_distance2(d, wanted);
    float inverse, g = kernel_g(r2, inverse);
    float nearing = min(dot(own.moved - other.moved, d), 0.0) / (r2 + 0.01 * SMOOTHING * SMOOTHING);
    float viscous = viscous_factor * nearing / (own.weight + other.weight);
    sum -= d * kernel_slope(own.pressure + other.pressure + viscous, g, inverse);
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    half_pair own = find_half(i);
    ivec4 prediction = iterates[i];
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    viscous_factor = 2.0 * params.artificial_viscosity * SMOOTHING * params.sound_speed * status.dt;
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, own, j.x, true);
        add_pair(sum, own, j.y, k + 1u < count);
        add_pair(sum, own, j.z, k + 2u < count);
        add_pair(sum, own, j.w, k + 3u < count);
    }
    vec3 push = sum * params.slope;
    bool near_wall = (header & SIM_NEAR_WALL) != 0u;
    if (near_wall) push += own.pressure * wall_at(i, own.start).xyz;
    bool lost = prediction.x == SIM_LOST || fixed_is_lost(push);
    ivec3 p = lost ? ivec3(SIM_LOST) : prediction.xyz + fixed_step(own.weight * push);
    if (MEASURED != 0u && !lost) {
        measure_begin(i, starts[i].w);
        measured[measure_at].w -= own.pressure / params.relaxation;
    }
    if (PUSHES && near_wall && !lost) wall_sums[i].x = own.pressure * own.weight; // for wall_collide.comp
    if (!HAS_SOLIDS && near_wall && !lost) p = wall_leave_sides(p, own.start);
    if (lost) atomicAdd(status.broken, 1u);
    iterates[i] = ivec4(p, prediction.w);
}
