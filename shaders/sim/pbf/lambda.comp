// Computes the multiplier of every density constraint (Macklin and Mueller 2013, equations 1, 2, 8 and 11,
// with inverse masses in the denominator); one invocation per particle. The density of walls is added in
// closed form: boundary_density.comp computes it in scenes with solids; in others this pass marks the
// particles near a side itself. Sums the over-density as integers for the guard of Chebyshev's method, for
// residuals and for a tolerance.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(multipliers);
READ_TEXELS(iterated_positions);
ATOMIC(density_errors);
READ_OWN(neighbour_lists);
UPDATE_OWN(neighbour_headers);
BLOCK(grid);
READ_OWN(body_boundary_sums);
READ_OWN(boundary_sums);
WORK_ESTIMATE(23, 26, 16);
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"
#include "particles/density_error.glsl"

struct constraint_sums {
    float density, squares;
    vec3 gradient; // sums over pairs in position units
};

void add_pair(inout constraint_sums sum, ivec3 p, ivec4 other, bool wanted)
{
    vec3 d = pair_offset_steps(p, other.xyz);
    float r2 = pair_distance2_steps(d, wanted);
    float inverse, g = kernel_one_minus_r(r2, inverse), slope = kernel_gradient_factor(1.0, g, inverse);
    float square = SMOOTHING_KERNEL == SIM_KERNEL_WENDLAND ? slope * slope * r2 : g * g * (g * g);
    sum.density += kernel_value(r2, g);
    sum.squares += UNIFORM_MASS ? square : square * intBitsToFloat(other.w);
    sum.gradient -= d * slope;
}

// Adds the density and gradient of walls and bodies at particle i.
void add_boundaries(uint i, ivec3 p, uint header, inout constraint_sums sum)
{
    boundary_sum walls = boundary_none();
    if ((header & SIM_NEAR_BOUNDARY) != 0u) boundary_combine(walls, boundary_gradient_density(i, p));
    if (HAS_BODIES && (header & SIM_NEAR_BODY) != 0u) boundary_combine(walls, body_boundary_sums[i]);
    sum.density += walls.density;
    // the other smoothing kernels ignore walls in the gradient
    if (SMOOTHING_KERNEL != SIM_KERNEL_WENDLAND) return;
    sum.gradient += walls.gradient;
    // Accounts for the squares that neighbours in place of the wall would add. The exponent is measured: with
    // it the first layer on a floor is as dense as the hydrostatic law predicts.
    float open = max(1.0 - walls.density, 0.25);
    sum.squares /= open * open * sqrt(open);
}

// Returns density, squared gradients and gradient of the constraint at own, without walls.
constraint_sums sum_pairs(uint i, ivec4 own, uint count)
{
    constraint_sums sum = constraint_sums(0.0, 0.0, vec3(0.0));
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own.xyz, TEXEL(iterated_positions, j), wanted))
    return constraint_sums(params.kernel_density * (1.0 + sum.density),
                           sum.squares * params.kernel_gradient * params.kernel_gradient,
                           sum.gradient * pair_step_over_h * params.kernel_gradient);
}

void main()
{
    UNSOLVED_NEAR_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(iterated_positions, i);
    // no correction of its own can satisfy the constraint of a fixed particle
    if (HAS_FIXED_PARTICLES && intBitsToFloat(own.w) <= 0.0) {
        multipliers[i] = ivec4(own.xyz, 0);
        return;
    }
    uint header = neighbour_headers[i], before = header;
    constraint_sums sum = sum_pairs(i, own, header & GRID_COUNT_MASK);
    // in scenes with solids, boundary_density.comp has marked the particle
    bool marks = !HAS_SOLIDS && pass.inner % params.mark_interval == 0u;
    if (marks && boundary_near_side(own.xyz, params.boundary_reach)) header |= SIM_NEAR_BOUNDARY;
    if ((header & (SIM_NEAR_BOUNDARY | SIM_NEAR_BODY)) != 0u) add_boundaries(i, own.xyz, header, sum);
    if (header != before) neighbour_headers[i] = header;
    bool summed = i < state.live; // ghosts are another rank's
    if (SUM_DENSITY_ERRORS && summed) density_error_add(pass.inner, sum.density - 1.0);
    if (RECORD_RESIDUALS && summed) density_error_max(pass.inner, sum.density - 1.0);
    if (HAS_TOLERANCE && summed) density_error_add_fine(pass.inner, sum.density - 1.0);
    float c = max(sum.density - 1.0, params.min_constraint);
    float squares = sum.squares + intBitsToFloat(own.w) * dot(sum.gradient, sum.gradient);
    multipliers[i] = ivec4(own.xyz, floatBitsToInt(-c / (squares + params.epsilon)));
}
