// Gives faces that a body holds but does not cover the body's velocity after the viscous solve, which leaves
// them unchanged, less the predicted pressure gradient (flip_viscous_predict.comp); one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(pressure_gradients);
READ_ANY(viscous_face_bodies);
READ_ANY(body_viscous_states);
UPDATE_ANY(viscous_velocities);
UPDATE_ANY(face_velocities);
#include "poisson/level.glsl"
#include "mac/faces.glsl"
#include "body/viscous_velocity.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE || status.viscous_iterations == 0u) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        for (uint axis = 0u; axis < 3u; axis++) {
            uint held = viscous_face_bodies[i][axis], below = poisson_neighbour_cell(block, cell, 2u * axis);
            if (held == 0u || mac_face_open_fraction(i, below, 2u * axis) <= 0.0) continue;
            float change = body_viscous_velocity(held - 1u, mac_face_centre(at, axis))[axis] -
                           pressure_gradients[i][axis] - face_velocities[i][axis];
            viscous_velocities[i][axis] += change;
            face_velocities[i][axis] += change;
        }
    }
}
