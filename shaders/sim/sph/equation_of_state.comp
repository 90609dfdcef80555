// WCSPH (Becker and Teschner 2007, equation 7): computes the pressure from the density at the substep's
// start, walls included, by Tait's equation; never negative. One invocation per particle. It is stored as
// -dt^2 p / rho^2, densities over the rest density, in m2 of the lightest fluid, so that a pair acts as in
// equation 12 of Macklin and Mueller 2013 with this value in place of lambda. In scenes without solids it
// also marks the particles that walls can reach; in others boundary_density_substep_start.comp does this.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_OWN(start_pressures);
READ_OWN(iterated_positions);
READ_TEXELS(sorted_positions);
WRITE_OWN(sorted_predicted_positions);
READ_OWN(neighbour_lists);
UPDATE_OWN(neighbour_headers);
READ_OWN(boundary_sums);
BLOCK(grid);
WORK_ESTIMATE(20, 15, 16);
#define DENSITY_POSITION(j) TEXEL(sorted_positions, j).xyz
#include "boundary/boundary_density.glsl"
#include "particles/density.glsl"

#define TAIT_EXPONENT 7.0

void main()
{
    NEAR_PARTICLE_OR_RETURN(i);
    ivec4 start = TEXEL(sorted_positions, i), own = iterated_positions[i];
    uint header = neighbour_headers[i];
    float density = sum_pair_densities(i, start.xyz, header & GRID_COUNT_MASK);
    if (!HAS_SOLIDS) {
        bool near = boundary_near_side(own.xyz, params.boundary_reach) ||
                    boundary_near_side(start.xyz, params.h);
        header = near ? header | SIM_NEAR_BOUNDARY : header & GRID_COUNT_MASK;
        neighbour_headers[i] = header;
    }
    if ((header & SIM_NEAR_BOUNDARY) != 0u) density += boundary_gradient_density(i, start.xyz).w;
    float d2 = density * density, d6 = d2 * d2 * d2, moved = params.sound_speed * status.dt;
    float pressure = moved * moved / TAIT_EXPONENT * max(d6 * density - 1.0, 0.0);
    sorted_predicted_positions[i] = own;
    start_pressures[i] = ivec4(start.xyz, floatBitsToInt(-pressure / (d2 * intBitsToFloat(own.w))));
}
