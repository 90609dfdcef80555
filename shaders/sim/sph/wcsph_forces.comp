// WCSPH (Becker and Teschner 2007, equations 6 and 10; Monaghan 1992, equation 4.2): moves the prediction by
// pressure and artificial viscosity, both at the substep's start; one invocation per particle. A wall acts
// along the gradient of its own part of the density, so it returns the energy that it takes. In scenes
// without solids it finally projects the particle out of the domain's sides; in others boundary_project.comp
// does this.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_TEXELS(start_pressures);
UPDATE_OWN(iterated_positions);
READ_TEXELS(sorted_predicted_positions);
READ_OWN(sorted_positions);
UPDATE_OWN(gauge_accumulators);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
UPDATE_OWN(boundary_sums);
BLOCK(grid);
WORK_ESTIMATE(25, 34, 32);
#include "boundary/gauges.glsl"
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"

// The viscosity uses a smoothing length of h / 2: a cubic spline of that length reaches as far as the kernel.
#define SMOOTHING_RATIO 0.5

// The values of a particle that a pair needs.
struct pair_particle {
    ivec3 start;
    vec3 moved; // m, by the prediction
    float weight, pressure;
};

float artificial_viscosity_factor;

pair_particle load_particle(uint i)
{
    ivec4 start = TEXEL(start_pressures, i), prediction = TEXEL(sorted_predicted_positions, i);
    return pair_particle(start.xyz, fixed_offset(prediction.xyz, start.xyz), intBitsToFloat(prediction.w),
                     intBitsToFloat(start.w));
}

void add_pair(inout vec3 sum, pair_particle own, uint j, bool wanted)
{
    pair_particle other = load_particle(j);
    vec3 d = pair_offset(own.start, other.start);
    float r2 = pair_distance2(d, wanted);
    float inverse, g = kernel_one_minus_r(r2, inverse);
    float nearing =
        min(dot(own.moved - other.moved, d), 0.0) / (r2 + 0.01 * SMOOTHING_RATIO * SMOOTHING_RATIO);
    float viscous = artificial_viscosity_factor * nearing / (own.weight + other.weight);
    sum -= d * kernel_gradient_factor(own.pressure + other.pressure + viscous, g, inverse);
}

void main()
{
    PARTICLE_OR_RETURN(i);
    pair_particle own = load_particle(i);
    ivec4 prediction = iterated_positions[i];
    uint header = neighbour_headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    artificial_viscosity_factor =
        2.0 * params.artificial_viscosity * SMOOTHING_RATIO * params.sound_speed * status.dt;
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own, j, wanted))
    vec3 push = sum * params.kernel_gradient;
    bool near_wall = (header & SIM_NEAR_BOUNDARY) != 0u;
    vec3 wall_push = vec3(0.0);
    if (near_wall) wall_push = own.pressure * boundary_gradient_density(i, own.start).xyz;
    push += wall_push;
    bool lost = prediction.x == SIM_INVALID_POSITION || fixed_is_non_finite(push);
    ivec3 p = lost ? ivec3(SIM_INVALID_POSITION) : prediction.xyz + fixed_from_offset(own.weight * push);
    if (GAUGE_VECTORS != 0u && !lost) {
        gauge_begin_particle(i, sorted_positions[i].w);
        gauge_accumulators[gauge_particle_offset].w -= own.pressure / params.relaxation;
    }
    if (solids_need_wall_factor() && near_wall && !lost)
        boundary_sums[i].x = own.pressure * own.weight; // read by boundary_project.comp
    if (!HAS_SOLIDS && near_wall && !lost) p = boundary_project_sides(p, own.start, own.weight * wall_push);
    if (lost) atomicAdd(status.solve_non_finite, 1u);
    iterated_positions[i] = ivec4(p, prediction.w);
}
