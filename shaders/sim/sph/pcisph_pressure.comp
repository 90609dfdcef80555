// PCISPH (Solenthaler and Pajarola 2009): computes the pressure that drives the predicted density, walls
// included, back to the rest density; one invocation per particle. It accumulates over the iterations and is
// never negative. It is stored as -dt^2 p / rho, m2, of the lightest fluid, so that the correction is
// equation 12 of Macklin and Mueller 2013 with this value in place of lambda. Iteration 0 also stores the
// prediction without pressure. Iteration 0 and every params.mark_interval-th iteration after it mark the
// particles that walls can reach before the next marking.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(start_pressures);
READ_TEXELS(iterated_positions);
READ_OWN(sorted_positions);
WRITE_OWN(sorted_predicted_positions);
ATOMIC(density_errors);
READ_OWN(neighbour_lists);
UPDATE_OWN(neighbour_headers);
BLOCK(grid);
WRITE_OWN(boundary_sums);
READ_SOLIDS();
WORK_ESTIMATE(12, 15, 16);
#include "boundary/boundary.glsl"
#include "particles/density.glsl"
#include "particles/density_error.glsl"

void main()
{
    UNSOLVED_NEAR_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(iterated_positions, i);
    uint header = neighbour_headers[i];
    float density = sum_pair_densities(i, own.xyz, header & GRID_COUNT_MASK);
    if (pass.inner == 0u) {
        sorted_predicted_positions[i] = own;
        if (!HAS_SOLIDS) header &= GRID_COUNT_MASK; // clears the marks of the last substep
    }
    if (pass.inner % params.mark_interval == 0u && !(HAS_SOLIDS && pass.inner == 0u)) {
        if (boundary_near(own.xyz, params.boundary_reach) ||
            boundary_near(sorted_positions[i].xyz, params.h)) {
            // the gradient at the start, which it keeps, was that of no wall
            if (HAS_SOLIDS && (header & SIM_NEAR_BOUNDARY) == 0u) boundary_sums[i] = vec4(0.0);
            header |= SIM_NEAR_BOUNDARY | SIM_NEAR_SOLID | SIM_SOLID_ACTIVE;
        }
        neighbour_headers[i] = header;
    }
    if ((header & SIM_NEAR_BOUNDARY) != 0u)
        density += boundary_density(own.xyz, boundary_solid_count()).density;
    bool summed = i < state.live; // ghosts are another rank's
    if (RECORD_RESIDUALS && summed) {
        density_error_add(pass.inner, density - 1.0);
        density_error_max(pass.inner, density - 1.0);
    }
    if (HAS_TOLERANCE && summed) density_error_add_fine(pass.inner, density - 1.0);
    float before = pass.inner == 0u ? 0.0 : intBitsToFloat(start_pressures[i].w);
    float added = params.pcisph_pressure_factor * (density - 1.0) / intBitsToFloat(own.w);
    start_pressures[i] = ivec4(sorted_positions[i].xyz, floatBitsToInt(min(before - added, 0.0)));
}
