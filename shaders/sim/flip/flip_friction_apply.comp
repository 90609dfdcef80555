// Applies wall friction to the faces of the MAC grid: each face takes the mean of the velocity changes that
// friction makes in the fluid cells on its two sides. Faces that solids close, which slip, take it, too; not
// those on sides of the domain, which are at rest, or those that bodies close. One workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(friction_velocities);
READ_ANY(rigid_coupling);
READ_ANY(face_masses);
UPDATE_ANY(face_velocities);
UPDATE_ANY(face_velocity_changes);
#include "poisson/level.glsl"
#include "mac/friction_mass.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        vec3 change = vec3(0.0);
        for (uint axis = 0u; axis < 3u; axis++) {
            uint below = poisson_neighbour_cell(block, cell, 2u * axis);
            bool own = mac_is_fluid(i), other = mac_is_fluid(below);
            if (!mac_face_takes_friction(i, below, at, axis)) continue;
            float sum = (own ? friction_velocities[i][axis] : 0.0) +
                        (other ? friction_velocities[below][axis] : 0.0);
            change[axis] = own && other ? 0.5 * sum : sum;
        }
        face_velocities[i].xyz += change;
        face_velocity_changes[i].xyz += change;
    }
}
