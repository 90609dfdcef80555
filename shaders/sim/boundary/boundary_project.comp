// Moves particles out of walls and solids at the end of an iteration; one invocation per particle, only in
// scenes with solids. It is kept out of position_correction, pcisph_position_correction and wcsph_forces
// because the distance queries would raise the register pressure of their loops over pairs.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(multipliers); // or the start's pressures; both begin with the position at which the walls acted
READ_OWN(neighbour_headers);
READ_OWN(boundary_sums);
UPDATE_OWN(gauge_accumulators);
ATOMIC(solid_impulse_sums);
READ_SOLIDS();
WORK_ESTIMATE(10, 0, 0);
#include "boundary/force_gauge.glsl"

// Records the impulse of `factor` times the constraint's gradient towards each measured solid. The gradient
// is split among solids as in boundary_add_plane; `density` is that of all walls at p.
void record_solid_correction(ivec3 p, float density, float factor)
{
    uint solids = RECORD_SOLID_PUSHES && params.boundary_density != 0u ? boundary_solid_count() : 0u;
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        if (!RECORD_SOLID_FORCES && items[item].flags >> SOLID_ITEM_FORCE_SHIFT == 0u) continue;
        item_surface surface;
        if (!item_find_surface(item, fixed_to_metres(p), params.h, surface)) continue;
        boundary_sum own = boundary_none();
        boundary_add_plane(own, surface.distance, surface.normal, vec3(0.0));
        float others = (1.0 - density) / max(1.0 - own.density, 1e-6);
        record_solid_push(item, fixed_to_metres(p), factor * others * own.gradient);
    }
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    uint header = neighbour_headers[i];
    if ((header & SIM_NEAR_BOUNDARY) == 0u) return;
    ivec4 own = iterated_positions[i], start = sorted_positions[i];
    if (own.x == SIM_INVALID_POSITION) return;
    boundary_solids_near = (header & SIM_SOLID_ACTIVE) != 0u;
    if (RECORD_SOLID_PUSHES) gauge_begin_particle(i, start.w);
    if (RECORD_SOLID_PUSHES)
        record_solid_correction(multipliers[i].xyz, boundary_sums[i].w, boundary_sums[i].x);
    iterated_positions[i] = ivec4(boundary_project(own.xyz, start.xyz), own.w);
}
