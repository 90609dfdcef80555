// Computes the density that walls and solids add to each particle's density constraint; one invocation per
// particle, before lambda.comp, only in scenes with solids. It is kept out of lambda.comp because the
// register pressure of both together would lower the occupancy of the loop over pairs. Iteration 0 and every
// params.mark_interval-th iteration after it mark the particles that walls and solids can reach before the
// next marking; every iteration marks those on which a solid acts.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterated_positions);
READ_OWN(sorted_clearances);
UPDATE_OWN(neighbour_headers);
WRITE_OWN(boundary_sums);
READ_SOLIDS();
WORK_ESTIMATE(20, 0, 0);
#include "boundary/boundary.glsl"

// Returns the header with the marks of the walls and solids that can come within reach before the next
// marking.
uint mark_near_boundaries(uint i, ivec3 p, uint header)
{
    float clearance = sorted_clearances[i];
    // The long-range correction has moved the particle twice since its clearance was computed.
    if (params.cell_size.w != 0.0) clearance -= 2.0 * SIM_SDF_MAX_SLOPE * params.max_correction;
    // The iterations have moved it as well, and bodies may have pushed it as far again.
    float moved = params.max_correction * float(pass.inner) * (HAS_BODIES ? 2.0 : 1.0);
    clearance -= SIM_SDF_MAX_SLOPE * moved;
    if (clearance < boundary_solid_reach()) header |= SIM_NEAR_SOLID;
    bool near = clearance < params.boundary_reach || boundary_near_side(p, params.boundary_reach);
    return near ? header | SIM_NEAR_BOUNDARY : header;
}

// Returns the boundary density at p. Sets SIM_SOLID_ACTIVE in the header if a solid acts in this iteration:
// if it is nearer than h, or if a correction can move the particle into it.
boundary_sum find_boundaries(ivec3 p, inout uint header)
{
    boundary_solids_near = (header & SIM_NEAR_SOLID) != 0u;
    boundary_sum walls = boundary_density(p, boundary_solid_count());
    bool counts = walls.nearest < max(params.h, params.boundary_gap +
                                                    SIM_SDF_MAX_SLOPE * params.max_correction);
    header = boundary_solids_near && counts ? header | SIM_SOLID_ACTIVE : header & ~SIM_SOLID_ACTIVE;
    return walls;
}

void main()
{
    UNSOLVED_NEAR_PARTICLE_OR_RETURN(i);
    uint header = neighbour_headers[i], before = header;
    bool marks = pass.inner % params.mark_interval == 0u;
    if (!marks && (header & SIM_NEAR_BOUNDARY) == 0u) return;
    ivec3 p = iterated_positions[i].xyz;
    if (marks) header = mark_near_boundaries(i, p, header);
    if ((header & SIM_NEAR_BOUNDARY) != 0u) {
        boundary_sum walls = find_boundaries(p, header);
        boundary_sums[i] = vec4(walls.gradient, walls.density);
    }
    if (header != before) neighbour_headers[i] = header;
}
