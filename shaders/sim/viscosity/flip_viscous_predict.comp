// Adds the gradient of a predicted pressure to the initial velocities of the viscous solve, except on faces
// that walls and bodies hold. The solve's changes are then added to the velocities without it, to which the
// pressure is applied as usual. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(pressure_gradients);
READ_ANY(viscous_cells);
UPDATE_ANY(viscous_velocities);
#include "poisson/level.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        for (uint axis = 0u; axis < 3u; axis++)
            if ((viscous_cells[i] & SIM_VISCOUS_FIXED_X << axis) == 0u)
                viscous_velocities[i][axis] += pressure_gradients[i][axis];
    }
}
