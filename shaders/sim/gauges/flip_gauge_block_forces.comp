// Gauges of force on the MAC grid: what the fluid of each block does to the solids that are measured, by
// pressure and by friction, before the faces are slowed. Sums in one fixed order.
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

shared vec4 forces[POISSON_BLOCK_CELLS]; // each invocation's own: in registers they would be held beside distances

// xyz N on a solid, w the number of its gauge; 0: it has none.
vec4 force_of(uint block, uint cell)
{
    mac_solid_force push = mac_find_solid_force(block, cell);
    uint slot = push.acts ? items[push.item].flags >> SOLID_ITEM_FORCE_SHIFT : 0u;
    return vec4(push.force, float(slot));
}

void main()
{
    uint block = workgroup_block(0u), lane = gl_LocalInvocationIndex;
    if (block == POISSON_NONE) return; // alike in the whole workgroup
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
