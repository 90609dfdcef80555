// Moves every particle by -grad p of the long-range correction; one invocation per particle. The gradient is
// known on the faces of fluid cells and interpolated linearly between them, so a particle at the surface
// moves with the fluid under it. The displacement is limited as a correction is. The drift solve also moves
// the position at the substep's start, so that it does not change the velocity (Kugelstadt and others 2019).
// For gauges of pressure the pressure of the motion is added to that of the iterations.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterated_positions);
UPDATE_OWN(sorted_positions);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
READ_ANY(cell_pressures);
READ_ANY(pressure_gradients);
UPDATE_OWN(gauge_accumulators);
#include "mac/long_range_pressure.glsl"
#include "particles/external_forces.glsl"

void main()
{
    HELD_PARTICLE_OR_RETURN(i);
    ivec4 own = iterated_positions[i];
    if (own.x == SIM_INVALID_POSITION || (HAS_FIXED_PARTICLES && own.w == 0)) return;
    bool drifts = pass.constant == SIM_DRIFT_SOLVE;
    vec3 at = cell_coordinates(own.xyz), moved = vec3(0.0);
    if (!drifts)
        moved = fixed_offset(own.xyz, sorted_positions[i].xyz) +
                status.dt * status.dt * acceleration_at(fixed_to_metres(sorted_positions[i].xyz));
    vec3 move = pressure_displacement(at, closed_faces(moved, 1.0));
    float size = length(move);
    float kept = size > params.max_correction ? params.max_correction / size : 1.0;
    move *= kept;
    ivec3 way = fixed_from_offset(move);
    iterated_positions[i] = ivec4(own.xyz + way, own.w);
    if (drifts)
        sorted_positions[i].xyz += way;
    else if (GAUGE_VECTORS != 0u)
        gauge_accumulators[i * GAUGE_VECTORS].w += kept * interpolate_pressure(at) / params.relaxation;
}
