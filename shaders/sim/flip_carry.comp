// Faces that bodies close have the velocity of the body, as the pressure has changed it; flip_project.comp
// has given them that of a solid. A face belongs to the body that its own cell is tied to, else to that of
// the cell below.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
UPDATE_ANY(faces);
UPDATE_ANY(face_changes);
READ_SOLIDS();
READ_ANY(ties);
READ_ANY(bodies);
READ_ANY(body_iterates);
#include "boundary/boundary.glsl"
#include "poisson/level.glsl"
#include "mac/faces.glsl"
#include "mac/body.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell));
        uint known = uint(faces[i].w);
        for (uint axis = 0u; axis < 3u; axis++) {
            uint below = poisson_beside(block, cell, 2u * axis), tied = mac_tie(i);
            if (tied == 0u) tied = mac_tie(below);
            if (tied == 0u || (known >> axis & 1u) == 0u || mac_open(i, below, 2u * axis) > 0.0) continue;
            float velocity = body_velocity_at(tied - 1u, mac_face_metres(at, axis))[axis];
            face_changes[i][axis] += velocity - faces[i][axis];
            faces[i][axis] = velocity;
        }
    }
}
