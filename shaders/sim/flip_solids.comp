// What the fluid of each cell does to the solid that closes a part of it, added up for every solid.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
GATHER(cells);
GATHER(faces);
GATHER(face_changes);
GATHER(viscous_velocities);
ATOMIC(solid_sums);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(ties);
#include "shape.glsl"
#include "wall.glsl"
#include "poisson_level.glsl"
#include "mac_wall.glsl"
#include "predict.glsl"
#include "mac_push.glsl"
#include "solid_push.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        mac_push push = mac_find_push(block, gl_LocalInvocationIndex + k * POISSON_WORKGROUP);
        if (push.acts) solid_push(push.item, push.place, status.dt * status.dt * push.force);
    }
}
