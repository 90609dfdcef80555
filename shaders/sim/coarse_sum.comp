// Adds every particle and its constraint (Macklin and Mueller 2013, equation 1, walls included) to its
// cell, in whole numbers, so that the order does not matter.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
FETCH(iterates);
ATOMIC(cells);
OWN_READ(lists);
OWN_READ(headers);
BLOCK(grid);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
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
    float density = pair_density_sum(i, p, headers[i] & GRID_COUNT_MASK) + wall_density(p).density;
    ivec3 most = ivec3(params.coarse_cells.xyz) - 1;
    vec3 local = (fixed_metres(p) - params.domain_min.xyz) / params.coarse_size.xyz;
    ivec3 at = clamp(ivec3(local), ivec3(0), most);
    uint cell = uint(at.x) + params.coarse_cells.x * (uint(at.y) + params.coarse_cells.y * uint(at.z));
    atomicAdd(cells[cell].x, 1u);
    atomicAdd(cells[cell].y, uint(int(clamp(density - 1.0, -1.0, 4.0) * SIM_CELL_UNITS)));
}
