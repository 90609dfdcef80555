// Stores the displacements of solids on the faces that they close, where pressure_gradient.comp has left 0,
// m; one workgroup per block. Only in scenes whose solids move.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
UPDATE_OWN(pressure_gradients);
READ_SOLIDS();
#include "poisson/level.glsl"
#include "mac/boundary.glsl"
#include "mac/position.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        vec4 found = pressure_gradients[i];
        for (uint axis = 0u; axis < 3u; axis++)
            if ((uint(found.w) >> axis & SIM_CLOSED_FACE) != 0u)
                found[axis] = status.dt * mac_solid_velocity(mac_face_centre(at, axis))[axis];
        pressure_gradients[i] = found;
    }
}
