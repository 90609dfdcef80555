// What walls and solids add to the density at the substep's start, where there are solids: once for all
// iterations of PCISPH and for WCSPH, whose pressure forces have the gradients of the start. Marks the
// particles that walls can reach, from the start or from the prediction.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(starts);
READ_OWN(iterates);
UPDATE_OWN(headers);
WRITE_OWN(wall_sums);
READ_SOLIDS();
WORK(20, 0, 0);
#include "boundary/boundary.glsl"

void main()
{
    PARTICLE_OR_RETURN(i);
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
