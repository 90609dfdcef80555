// WCSPH (Becker and Teschner 2007, equation 7): the pressure that Tait's equation gives to the density at the
// substep's start, with the walls' share; never negative. It is kept as -dt^2 p / rho^2, the densities over
// rest, m2 of the lightest fluid, so that a pair pushes as in equation 12 of Macklin and Mueller 2013 with it
// in place of lambda. Marks the particles that walls can reach in this substep.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_WRITE(start_pressures);
OWN_READ(iterates);
FETCH(starts);
OWN_WRITE(sorted_predictions);
OWN_READ(lists);
OWN_UPDATE(headers);
BLOCK(grid);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
WORK(20, 15, 16);
#define DENSITY_PLACE(j) FETCHED(starts, j).xyz
#include "shape.glsl"
#include "wall.glsl"
#include "pairs.glsl"
#include "listed.glsl"
#include "density.glsl"

#define TAIT_POWER 7.0

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 start = FETCHED(starts, i), own = iterates[i];
    uint header = headers[i] & GRID_COUNT_MASK;
    float density = pair_density_sum(i, start.xyz, header);
    if (wall_near(own.xyz, params.wall_reach) || wall_near(start.xyz, params.h)) {
        header |= SIM_NEAR_WALL | SIM_NEAR_SOLID;
        density += wall_density(start.xyz, wall_solids()).density;
    }
    headers[i] = header;
    float d2 = density * density, d6 = d2 * d2 * d2, moved = params.sound_speed * status.dt;
    float pressure = moved * moved / TAIT_POWER * max(d6 * density - 1.0, 0.0);
    sorted_predictions[i] = own;
    start_pressures[i] = ivec4(start.xyz, floatBitsToInt(-pressure / (d2 * intBitsToFloat(own.w))));
}
