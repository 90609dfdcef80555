// Computes the force of the fluid in each block on every measured solid, by pressure and by friction, before
// friction slows the faces; one workgroup per block. Sums in a fixed order.
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
WRITE_ANY(block_forces);
READ_SOLIDS();
READ_ANY(rigid_coupling);
#include "poisson/level.glsl"
#include "mac/boundary_force.glsl"
#define SUM_TYPE vec4
#define SUM_LANES POISSON_WORKGROUP
#define SUM_REPEATS
#include "reduce/workgroup_sum.glsl"

// one value per cell, private to its invocation; in registers they would be kept across distance queries
shared vec4 forces[POISSON_BLOCK_CELLS];

// Returns the force on a solid, N (xyz), and the number of its gauge (w), 0 if it has none.
vec4 force_of(uint block, uint cell)
{
    mac_solid_force push = mac_find_solid_force(block, cell);
    uint slot = push.acts ? items[push.item].flags >> SOLID_ITEM_FORCE_SHIFT : 0u;
    return vec4(push.force, float(slot));
}

void main()
{
    uint block = workgroup_block(0u), lane = gl_LocalInvocationIndex;
    if (block == POISSON_NONE) return; // uniform across the workgroup
    for (uint cell = lane; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP)
        forces[cell] = force_of(block, cell);
    for (uint slot = 1u; slot <= SIM_MAX_FORCE_GAUGE_SOLIDS; slot++) {
        vec4 sum = vec4(0.0);
        for (uint cell = lane; cell < POISSON_BLOCK_CELLS; cell += POISSON_WORKGROUP)
            if (forces[cell].w == float(slot)) sum += forces[cell];
        sum = workgroup_sum(sum);
        if (lane == 0u) block_forces[workgroup_index() * SIM_MAX_FORCE_GAUGE_SOLIDS + slot - 1u] = sum;
    }
}
