// What the fluid of each cell does to the solid that closes a part of it, added up for every solid.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(faces);
READ_ANY(face_changes);
READ_ANY(viscous_velocities);
ATOMIC(solid_sums);
READ_SOLIDS();
READ_ANY(ties);
#include "poisson/level.glsl"
#include "mac/boundary_force.glsl"
#include "boundary/solid_impulse.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        mac_push push = mac_find_push(block, gl_LocalInvocationIndex + k * POISSON_WORKGROUP);
        if (push.acts) solid_push(push.item, push.place, status.dt * status.dt * push.force);
    }
}
