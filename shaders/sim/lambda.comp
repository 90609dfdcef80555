// The multiplier of every density constraint (Macklin and Mueller 2013, equations 1, 2, 8 and 11, with
// inverse masses in the denominator) with the walls' share in closed form, which walls.comp gives where there
// are solids; where there are none, it marks who is near a side itself. For the guard of Chebyshev's method,
// for residuals and for a tolerance it sums the over-density in whole numbers.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(multipliers);
READ_TEXELS(iterates);
ATOMIC(errors);
READ_OWN(lists);
UPDATE_OWN(headers);
BLOCK(grid);
READ_OWN(body_walls);
READ_OWN(wall_sums);
WORK(23, 26, 16);
#include "boundary/boundary_density.glsl"
#include "neighbours/pair.glsl"
#include "particles/density_error.glsl"

struct lambda_sum {
    float density, squares;
    vec3 gradient; // over pairs in steps
};

void add_pair(inout lambda_sum sum, ivec3 p, ivec4 other, bool wanted)
{
    vec3 d = pair_steps(p, other.xyz);
    float r2 = pair_steps2(d, wanted);
    float inverse, g = kernel_g(r2, inverse), slope = kernel_slope(1.0, g, inverse);
    float square = KERNEL == SIM_KERNEL_WENDLAND ? slope * slope * r2 : g * g * (g * g);
    sum.density += kernel_value(r2, g);
    sum.squares += ONE_MASS ? square : square * intBitsToFloat(other.w);
    sum.gradient -= d * slope;
}

// Adds the density and gradient of walls and bodies at particle i.
void add_walls(uint i, ivec3 p, uint header, inout lambda_sum sum)
{
    wall_sum walls = wall_none();
    if ((header & SIM_NEAR_WALL) != 0u) wall_join(walls, wall_at(i, p));
    if (HAS_BODIES && (header & SIM_NEAR_BODY) != 0u) wall_join(walls, body_walls[i]);
    sum.density += walls.density;
    if (KERNEL != SIM_KERNEL_WENDLAND) return; // the other kernels leave the walls out
    sum.gradient += walls.gradient;
    // The squares that neighbours in the wall's place would add. The power was measured: with it the first
    // layer on a floor is as dense as the hydrostatic law says.
    float open = max(1.0 - walls.density, 0.25);
    sum.squares /= open * open * sqrt(open);
}

// Density, squared gradients and gradient of the constraint at own, without walls.
lambda_sum sum_pairs(uint i, ivec4 own, uint count)
{
    lambda_sum sum = lambda_sum(0.0, 0.0, vec3(0.0));
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, own.xyz, TEXEL(iterates, j), wanted))
    return lambda_sum(params.density * (1.0 + sum.density), sum.squares * params.slope * params.slope,
                      sum.gradient * pair_unit * params.slope);
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(iterates, i);
    if (HOLDS && intBitsToFloat(own.w) <= 0.0) { // no correction of its own satisfies its constraint
        multipliers[i] = ivec4(own.xyz, 0);
        return;
    }
    uint header = headers[i], before = header;
    lambda_sum sum = sum_pairs(i, own, header & GRID_COUNT_MASK);
    bool marks = !HAS_SOLIDS && row.inner % params.mark_every == 0u; // else walls.comp has marked it
    if (marks && wall_near_side(own.xyz, params.wall_reach)) header |= SIM_NEAR_WALL;
    if ((header & (SIM_NEAR_WALL | SIM_NEAR_BODY)) != 0u) add_walls(i, own.xyz, header, sum);
    if (header != before) headers[i] = header;
    if (SUMS_ERRORS) errors_add(row.inner, sum.density - 1.0);
    if (RESIDUALS) errors_raise(row.inner, sum.density - 1.0);
    if (TOLERANT) errors_weigh(row.inner, sum.density - 1.0);
    float c = max(sum.density - 1.0, params.clamp_low);
    float squares = sum.squares + intBitsToFloat(own.w) * dot(sum.gradient, sum.gradient);
    multipliers[i] = ivec4(own.xyz, floatBitsToInt(-c / (squares + params.epsilon)));
}
