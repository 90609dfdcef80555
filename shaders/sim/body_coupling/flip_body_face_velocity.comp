// Gives faces that bodies close the velocity of the body after the pressure solve;
// flip_subtract_gradient.comp has given them that of a solid. A face belongs to the body to which its own
// cell is coupled, else to that of the cell below. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
UPDATE_ANY(face_velocities);
UPDATE_ANY(face_velocity_changes);
READ_SOLIDS();
READ_ANY(rigid_coupling);
READ_ANY(bodies);
READ_ANY(body_iterated_states);
#include "boundary/boundary.glsl"
#include "poisson/level.glsl"
#include "mac/faces.glsl"
#include "mac/body.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        uint known = uint(face_velocities[i].w);
        for (uint axis = 0u; axis < 3u; axis++) {
            uint below = poisson_neighbour_cell(block, cell, 2u * axis), coupled_body = mac_coupled_body(i);
            if (coupled_body == 0u) coupled_body = mac_coupled_body(below);
            if (coupled_body == 0u || (known >> axis & 1u) == 0u ||
                mac_face_open_fraction(i, below, 2u * axis) > 0.0)
                continue;
            float velocity = body_velocity_at(coupled_body - 1u, mac_face_centre(at, axis))[axis];
            face_velocity_changes[i][axis] += velocity - face_velocities[i][axis];
            face_velocities[i][axis] = velocity;
        }
    }
}
