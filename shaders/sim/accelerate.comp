// WCSPH (Becker and Teschner 2007, equations 6 and 10; Monaghan 1992, equation 4.2): moves the prediction by
// pressure and artificial viscosity, both at the substep's start. A wall pushes along the gradient of its own
// share of the density, so that it gives back the energy that it takes. Last, where there are no solids, the
// particle is moved out of the domain's sides: else wall_collide.comp does it.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_TEXELS(start_pressures);
UPDATE_OWN(iterates);
READ_TEXELS(sorted_predictions);
READ_OWN(starts);
UPDATE_OWN(measured);
READ_OWN(lists);
READ_OWN(headers);
UPDATE_OWN(wall_sums);
BLOCK(grid);
WORK(25, 34, 32);
#include "boundary/gauges.glsl"
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"

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
    ivec4 start = TEXEL(start_pressures, i), prediction = TEXEL(sorted_predictions, i);
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
    PARTICLE_OR_RETURN(i);
    half_pair own = find_half(i);
    ivec4 prediction = iterates[i];
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    viscous_factor = 2.0 * params.artificial_viscosity * SMOOTHING * params.sound_speed * status.dt;
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own, j, wanted))
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
