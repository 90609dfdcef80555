// Moves particles out of walls and solids at the end of an iteration, where there are solids: with their
// distances in the same kernel the loops over pairs of correct, push and accelerate would wait for registers.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_UPDATE(iterates);
OWN_READ(starts);
OWN_READ(multipliers); // or the start's pressures: both begin with the position that the walls acted on
OWN_READ(headers);
OWN_READ(wall_sums);
OWN_UPDATE(measured);
ATOMIC(solid_sums);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
WORK(10, 0, 0);
#include "measure.glsl"
#include "measure_push.glsl"
#include "shape.glsl"
#include "wall.glsl"
#include "measure_wall.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u || (TOLERANT && status.solved != 0u)) return;
    uint header = headers[i];
    if ((header & SIM_NEAR_WALL) == 0u) return;
    ivec4 own = iterates[i], start = starts[i];
    if (own.x == SIM_LOST) return;
    wall_solids_near = (header & SIM_AT_SOLID) != 0u;
    if (PUSHES) measure_begin(i, start.w);
    if (PUSHES) measure_constraint(multipliers[i].xyz, wall_sums[i].w, wall_sums[i].x);
    iterates[i] = ivec4(wall_project(own.xyz, start.xyz), own.w);
}
