// What walls and solids add to the density at the substep's start, where there are solids: once for all
// iterations of PCISPH and for WCSPH, whose pressure forces have the gradients of the start. Marks the
// particles that walls can reach, from the start or from the prediction.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_READ(starts);
OWN_READ(iterates);
OWN_UPDATE(headers);
OWN_WRITE(wall_sums);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
WORK(20, 0, 0);
#include "shape.glsl"
#include "wall.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = starts[i].xyz;
    uint header = headers[i] & GRID_COUNT_MASK;
    bool here = wall_near(p, params.h);
    if (here || wall_near(iterates[i].xyz, params.wall_reach)) {
        wall_sum walls = wall_none();
        if (here) walls = wall_density(p, wall_solids());
        wall_sums[i] = vec4(walls.gradient, walls.density);
        header |= SIM_NEAR_WALL | SIM_NEAR_SOLID | SIM_AT_SOLID;
    }
    headers[i] = header;
}
