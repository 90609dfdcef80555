// Density at the frame's end, the walls' share included (Macklin and Mueller 2013, equation 2).
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(positions);
READ_TEXELS(iterates);
WRITE_OWN(densities);
READ_OWN(lists);
READ_OWN(headers);
BLOCK(grid);
READ_SOLIDS();
READ_OWN(body_walls);
WORK(5, 13, 16);
#include "boundary/boundary.glsl"
#include "particles/density.glsl"

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterates, i).xyz;
    uint header = headers[i];
    float density = pair_density_sum(i, p, header & GRID_COUNT_MASK);
    wall_solids_near = (header & SIM_NEAR_SOLID) != 0u;
    wall_sum walls = wall_none();
    if ((header & SIM_NEAR_WALL) != 0u) walls = wall_density(p, wall_solids());
    if (HAS_BODIES && (header & SIM_NEAR_BODY) != 0u) wall_join(walls, body_walls[i]);
    density += walls.density;
    densities[i] = density * params.fluids[uint(positions[i].w)].density;
}
