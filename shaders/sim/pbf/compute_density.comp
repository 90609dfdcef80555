// Computes the density of every particle at the frame's end, including that of boundaries and bodies (Macklin
// and Mueller 2013, equation 2); one invocation per particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(positions);
READ_TEXELS(iterated_positions);
WRITE_OWN(densities);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
READ_SOLIDS();
READ_OWN(body_boundary_sums);
WORK_ESTIMATE(5, 13, 16);
#include "boundary/boundary.glsl"
#include "particles/density.glsl"

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    uint header = neighbour_headers[i];
    float density = sum_pair_densities(i, p, header & GRID_COUNT_MASK);
    boundary_solids_near = (header & SIM_NEAR_SOLID) != 0u;
    boundary_sum walls = boundary_none();
    if ((header & SIM_NEAR_BOUNDARY) != 0u) walls = boundary_density(p, boundary_solid_count());
    if (HAS_BODIES && (header & SIM_NEAR_BODY) != 0u) boundary_combine(walls, body_boundary_sums[i]);
    density += walls.density;
    densities[i] = density * params.fluids[uint(positions[i].w)].density;
}
