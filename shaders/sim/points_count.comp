// One invocation: how many particles a slot holds, as a host on the device draws and dispatches them
// (src/include/weir_vulkan.h: weir_vulkan_counts). row.constant is the frame's number.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
REDUCTION(slot_counts);

void main()
{
    if (row_index() != 0u) return;
    uint n = status.count;
    uvec2 groups = grid_dispatch((n + 63u) / 64u);
    slot_counts.points_vertices = n;
    slot_counts.points_instances = 1u;
    slot_counts.quads_vertices = 4u;
    slot_counts.quads_instances = n;
    slot_counts.groups_x = groups.x;
    slot_counts.groups_y = groups.y;
    slot_counts.groups_z = 1u;
    slot_counts.count = n;
    slot_counts.frame = row.constant;
    slot_counts.whole = state.flags == 0u ? 1u : 0u;
}
