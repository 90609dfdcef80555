// Faces that bodies close have the velocity of the body, as the pressure has changed it; flip_project.comp
// has given them that of a solid. A face belongs to the body that its own cell is tied to, else to that of
// the cell below.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
GATHER(cells);
SCATTER_UPDATE(faces);
SCATTER_UPDATE(face_changes);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(ties);
GATHER(bodies);
GATHER(body_iterates);
#include "shape.glsl"
#include "wall.glsl"
#include "poisson_level.glsl"
#include "mac_faces.glsl"
#include "mac_body.glsl"

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
