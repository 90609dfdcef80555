// PCISPH (Solenthaler and Pajarola 2009): the pressure that drives the predicted density back to rest, with
// the walls' share. It adds up over the iterations and is never negative. It is kept as -dt^2 p / rho, m2, of
// the lightest fluid, so that the correction is equation 12 of Macklin and Mueller 2013 with it in place of
// lambda. Iteration 0 also keeps the prediction without pressure. It, and every params.mark_every-th behind
// it, marks the particles that walls can reach before the next mark.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(start_pressures);
READ_TEXELS(iterates);
READ_OWN(starts);
WRITE_OWN(sorted_predictions);
ATOMIC(errors);
READ_OWN(lists);
UPDATE_OWN(headers);
BLOCK(grid);
READ_SOLIDS();
WORK(12, 15, 16);
#include "boundary/boundary.glsl"
#include "particles/density.glsl"
#include "particles/density_error.glsl"

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    ivec4 own = TEXEL(iterates, i);
    uint header = headers[i];
    float density = pair_density_sum(i, own.xyz, header & GRID_COUNT_MASK);
    if (row.inner == 0u) {
        sorted_predictions[i] = own;
        if (!HAS_SOLIDS) header &= GRID_COUNT_MASK; // marks of an earlier substep go
    }
    if (row.inner % params.mark_every == 0u && !(HAS_SOLIDS && row.inner == 0u)) {
        if (wall_near(own.xyz, params.wall_reach) || wall_near(starts[i].xyz, params.h)) {
            header |= SIM_NEAR_WALL | SIM_NEAR_SOLID | SIM_AT_SOLID;
        }
        headers[i] = header;
    }
    if ((header & SIM_NEAR_WALL) != 0u) density += wall_density(own.xyz, wall_solids()).density;
    if (RESIDUALS) {
        errors_add(row.inner, density - 1.0);
        errors_raise(row.inner, density - 1.0);
    }
    if (TOLERANT) errors_weigh(row.inner, density - 1.0);
    float before = row.inner == 0u ? 0.0 : intBitsToFloat(start_pressures[i].w);
    float added = params.pressure_step * (density - 1.0) / intBitsToFloat(own.w);
    start_pressures[i] = ivec4(starts[i].xyz, floatBitsToInt(min(before - added, 0.0)));
}
