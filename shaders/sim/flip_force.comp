// Gauges of force on the MAC grid: what the fluid of each block does to the solids that are measured, by
// pressure and by friction, before the faces are slowed. Sums in one fixed order.
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
SCATTER(block_forces);
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

shared vec4 lanes[POISSON_WORKGROUP];
shared vec4 forces[POISSON_CELLS]; // each invocation's own: in registers they would be held beside distances

// xyz N on a solid, w the number of its gauge; 0: it has none.
vec4 force_of(uint block, uint cell)
{
    mac_push push = mac_find_push(block, cell);
    uint slot = push.acts ? items[push.item].flags >> SOLID_ITEM_FORCE_SHIFT : 0u;
    return vec4(push.force, float(slot));
}

void main()
{
    uint block = level_block(0u), lane = gl_LocalInvocationIndex;
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    for (uint cell = lane; cell < POISSON_CELLS; cell += POISSON_WORKGROUP)
        forces[cell] = force_of(block, cell);
    for (uint slot = 1u; slot <= SIM_FORCE_SLOTS; slot++) {
        vec4 sum = vec4(0.0);
        for (uint cell = lane; cell < POISSON_CELLS; cell += POISSON_WORKGROUP)
            if (forces[cell].w == float(slot)) sum += forces[cell];
        lanes[lane] = sum;
        barrier();
        for (uint half_count = POISSON_WORKGROUP / 2u; half_count > 0u; half_count /= 2u) {
            if (lane < half_count) lanes[lane] += lanes[lane + half_count];
            barrier();
        }
        if (lane == 0u) block_forces[row_group() * SIM_FORCE_SLOTS + slot - 1u] = lanes[0];
        barrier();
    }
}
