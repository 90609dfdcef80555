// Density at the frame's end, the walls' share included (Macklin and Mueller 2013, equation 2).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_READ(positions);
FETCH(iterates);
OWN_WRITE(densities);
OWN_READ(lists);
OWN_READ(headers);
BLOCK(grid);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
OWN_READ(body_walls);
WORK(5, 13, 16);
#include "shape.glsl"
#include "wall.glsl"
#include "pairs.glsl"
#include "listed.glsl"
#include "density.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = FETCHED(iterates, i).xyz;
    uint header = headers[i];
    float density = pair_density_sum(i, p, header & GRID_COUNT_MASK);
    wall_solids_near = (header & SIM_NEAR_SOLID) != 0u;
    wall_sum walls = wall_none();
    if ((header & SIM_NEAR_WALL) != 0u) walls = wall_density(p, wall_solids());
    if (HAS_BODIES && (header & SIM_NEAR_BODY) != 0u) wall_join(walls, body_walls[i]);
    density += walls.density;
    densities[i] = density * params.fluids[uint(positions[i].w)].density;
}
