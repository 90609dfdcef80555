// Applies the position correction with artificial pressure (Macklin and Mueller 2013, equations 12 to 14);
// one invocation per particle. The correction is relaxed, optionally accelerated by Chebyshev's
// semi-iteration (Wang 2015, section 4) as long as the over-density falls, then capped. Finally the particle
// is projected out of the domain's sides; in scenes with solids boundary_project.comp does this.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
ATOMIC(status);
READ_TEXELS(multipliers);
UPDATE_OWN(iterated_positions);
READ_OWN(sorted_positions);
UPDATE_OWN(previous_iterates);
READ_ANY(density_errors);
UPDATE_OWN(gauge_accumulators);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
UPDATE_OWN(boundary_sums);
BLOCK(grid);
WORK_ESTIMATE(33, 30, 16);
#include "boundary/gauges.glsl"
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"

// Equation 13: the scale -k, and the factor that makes W(r) / W(dq) of t^3, t = 1 - q^2. Unlike the paper's,
// the pressure is 0 from the cutoff on: it would push a lattice at rest apart, by a fixed length in each
// iteration.
float pressure_scale, pressure_ratio;

void init_artificial_pressure()
{
    float ratio = status.dt / params.reference_dt;
    pressure_scale =
        -params.artificial_pressure * (params.scale_artificial_pressure != 0u ? ratio * ratio : 1.0);
    pressure_ratio = params.poly6 * params.artificial_pressure_base;
}

float pressure_power(float ratio)
{
    if (ARTIFICIAL_PRESSURE_POWER == 4u) return (ratio * ratio) * (ratio * ratio);
    float power = ratio;
    for (uint n = 1u; n < ARTIFICIAL_PRESSURE_POWER; n++) power *= ratio;
    return power;
}

float artificial_pressure(float t3)
{
    if (ARTIFICIAL_PRESSURE_POWER == 0u) return 0.0;
    float power = pressure_power(pressure_ratio * t3);
    return pressure_scale * max(power - params.artificial_pressure_offset, 0.0);
}

void add_pair(inout vec3 sum, ivec4 own, ivec4 other)
{
    vec3 d = pair_offset_steps(own.xyz, other.xyz);
    float r2 = pair_distance2_steps(d);
    float t = max(1.0 - r2, 0.0), inverse, g = kernel_one_minus_r(r2, inverse);
    float s = intBitsToFloat(own.w) + intBitsToFloat(other.w) + artificial_pressure(t * t * t);
    sum -= d * kernel_gradient_factor(s, g, inverse);
}

// Returns the number of iterations since the over-density last grew, where the acceleration restarts.
uint iterations_since_growth()
{
    uint since = 0u, before = density_errors[0], inner = pass.inner;
    for (uint k = 1u; k <= inner; k++) {
        uint error = density_errors[k];
        since = error > before ? 0u : since + 1u;
        before = error;
    }
    return since;
}

// Returns the weight of Chebyshev's semi-iteration: 1, 2 / (2 - rho^2), then 4 / (4 - rho^2 w).
float chebyshev_weight(uint iteration)
{
    float rho2 = params.chebyshev * params.chebyshev, w = 1.0;
    for (uint k = 1u; k <= iteration; k++) w = k == 1u ? 2.0 / (2.0 - rho2) : 4.0 / (4.0 - rho2 * w);
    return w;
}

vec3 apply_chebyshev(uint i, ivec3 p, vec3 correction)
{
    uint iteration = iterations_since_growth();
    float w = chebyshev_weight(iteration);
    vec3 before = iteration == 0u ? vec3(0.0) : fixed_offset(p, previous_iterates[i].xyz);
    previous_iterates[i] = ivec4(p, 0);
    return w * correction + (w - 1.0) * before;
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(multipliers, i);
    float weight = intBitsToFloat(iterated_positions[i].w), lambda = intBitsToFloat(own.w);
    uint header = neighbour_headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    init_artificial_pressure();
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own, TEXEL(multipliers, j)))
    vec3 correction = sum * pair_step_over_h * params.kernel_gradient;
    bool near_wall = (header & SIM_NEAR_BOUNDARY) != 0u;
    vec3 wall_gradient = vec3(0.0);
    if (near_wall) wall_gradient = boundary_gradient_density(i, own.xyz).xyz;
    correction += lambda * wall_gradient;
    correction *= params.relaxation * weight;
    if (CHEBYSHEV) correction = apply_chebyshev(i, own.xyz, correction);
    float size = length(correction), kept = 1.0;
    if (size > params.max_correction) {
        kept = params.max_correction / size;
        correction *= kept;
        atomicAdd(status.clamped_corrections, 1u);
    }
    if (GAUGE_VECTORS != 0u) {
        gauge_begin_particle(i, sorted_positions[i].w);
        gauge_accumulators[gauge_particle_offset].w -= lambda * kept;
    }
    // read by boundary_project.comp
    float wall_factor = lambda * params.relaxation * weight * kept;
    if (solids_need_wall_factor() && near_wall) boundary_sums[i].x = wall_factor;
    bool lost = own.x == SIM_INVALID_POSITION || fixed_is_non_finite(correction);
    ivec3 p = lost ? ivec3(SIM_INVALID_POSITION) : own.xyz + fixed_from_offset(correction);
    if (!HAS_SOLIDS && near_wall && !lost)
        p = boundary_project_sides(p, sorted_positions[i].xyz, wall_factor * wall_gradient);
    if (lost && (pass.inner == 0u || own.x != SIM_INVALID_POSITION))
        atomicAdd(status.solve_non_finite, 1u); // counts a particle only once
    iterated_positions[i] = ivec4(p, floatBitsToInt(weight));
}
