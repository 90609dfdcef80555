// Adds the force of the fluid in each cell to the solid that closes part of the cell, summed per solid as
// impulse times dt; one workgroup per block.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_velocities);
READ_ANY(face_velocity_changes);
READ_ANY(face_masses);
READ_ANY(viscous_velocities);
ATOMIC(solid_impulse_sums);
READ_SOLIDS();
READ_ANY(rigid_coupling);
#include "poisson/level.glsl"
#include "mac/boundary_force.glsl"
#include "boundary/solid_impulse.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        mac_solid_force push = mac_find_solid_force(block, gl_LocalInvocationIndex + k * POISSON_WORKGROUP);
        if (push.acts) add_solid_impulse(push.item, push.position, status.dt * status.dt * push.force);
    }
}
