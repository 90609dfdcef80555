// What walls and solids add to the density constraint, before lambda.comp, where there are solids: with them
// in the same kernel its loop over pairs would wait for registers. Iteration 0 and every
// params.mark_every-th behind it mark the particles that walls and solids can reach before the next mark;
// every iteration marks those that a solid acts on.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(iterates);
READ_OWN(sorted_clearances);
UPDATE_OWN(headers);
WRITE_OWN(wall_sums);
READ_SOLIDS();
WORK(20, 0, 0);
#include "boundary/boundary.glsl"

// The header with marks for the walls and solids that can come within reach before the next mark.
uint mark_walls(uint i, ivec3 p, uint header)
{
    float clearance = sorted_clearances[i];
    // The long-range correction has moved the particle twice since its clearance was computed.
    if (params.cell_size.w != 0.0) clearance -= 2.0 * SIM_SOLID_SLOPE * params.correction_cap;
    // So have the iterations, and bodies have pushed it as far.
    float moved = params.correction_cap * float(row.inner) * (HAS_BODIES ? 2.0 : 1.0);
    clearance -= SIM_SOLID_SLOPE * moved;
    if (clearance < wall_solid_reach()) header |= SIM_NEAR_SOLID;
    bool near = clearance < params.wall_reach || wall_near_side(p, params.wall_reach);
    return near ? header | SIM_NEAR_WALL : header;
}

// The walls at p; marks whether a solid acts in this iteration: when it is nearer than h, or when a
// correction can move the particle into it.
wall_sum find_walls(ivec3 p, inout uint header)
{
    wall_solids_near = (header & SIM_NEAR_SOLID) != 0u;
    wall_sum walls = wall_density(p, wall_solids());
    bool counts = walls.nearest < max(params.h, params.wall_gap + SIM_SOLID_SLOPE * params.correction_cap);
    header = wall_solids_near && counts ? header | SIM_AT_SOLID : header & ~SIM_AT_SOLID;
    return walls;
}

void main()
{
    UNSOLVED_PARTICLE_OR_RETURN(i);
    uint header = headers[i], before = header;
    bool marks = row.inner % params.mark_every == 0u;
    if (!marks && (header & SIM_NEAR_WALL) == 0u) return;
    ivec3 p = iterates[i].xyz;
    if (marks) header = mark_walls(i, p, header);
    if ((header & SIM_NEAR_WALL) != 0u) {
        wall_sum walls = find_walls(p, header);
        wall_sums[i] = vec4(walls.gradient, walls.density);
    }
    if (header != before) headers[i] = header;
}
