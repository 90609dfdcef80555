// WCSPH (Becker and Teschner 2007, equation 7): the pressure that Tait's equation gives to the density at the
// substep's start, with the walls' share; never negative. It is kept as -dt^2 p / rho^2, the densities over
// rest, m2 of the lightest fluid, so that a pair pushes as in equation 12 of Macklin and Mueller 2013 with it
// in place of lambda. Where there are no solids, it marks the particles that walls can reach: else
// walls_start.comp does it.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(start_pressures);
READ_OWN(iterates);
READ_TEXELS(starts);
WRITE_OWN(sorted_predictions);
READ_OWN(lists);
UPDATE_OWN(headers);
READ_OWN(wall_sums);
BLOCK(grid);
WORK(20, 15, 16);
#define DENSITY_PLACE(j) TEXEL(starts, j).xyz
#include "boundary/boundary_density.glsl"
#include "particles/density.glsl"

#define TAIT_POWER 7.0

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec4 start = TEXEL(starts, i), own = iterates[i];
    uint header = headers[i];
    float density = pair_density_sum(i, start.xyz, header & GRID_COUNT_MASK);
    if (!HAS_SOLIDS) {
        bool near = wall_near_side(own.xyz, params.wall_reach) || wall_near_side(start.xyz, params.h);
        header = near ? header | SIM_NEAR_WALL : header & GRID_COUNT_MASK;
        headers[i] = header;
    }
    if ((header & SIM_NEAR_WALL) != 0u) density += wall_at(i, start.xyz).w;
    float d2 = density * density, d6 = d2 * d2 * d2, moved = params.sound_speed * status.dt;
    float pressure = moved * moved / TAIT_POWER * max(d6 * density - 1.0, 0.0);
    sorted_predictions[i] = own;
    start_pressures[i] = ivec4(start.xyz, floatBitsToInt(-pressure / (d2 * intBitsToFloat(own.w))));
}
