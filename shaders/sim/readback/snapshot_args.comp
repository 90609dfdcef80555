// Writes the particle count of a snapshot slot as draw and dispatch arguments for a host program on the
// device (src/include/weir/vulkan.h: weir_vulkan_counts); one invocation. pass.constant: the frame number.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
REDUCTION(snapshot_args);

void main()
{
    if (invocation_index() != 0u) return;
    uint n = status.count;
    uvec2 groups = grid_dispatch((n + 63u) / 64u);
    snapshot_args.points_vertex_count = n;
    snapshot_args.points_instance_count = 1u;
    snapshot_args.quads_vertex_count = 4u;
    snapshot_args.quads_instance_count = n;
    snapshot_args.groups_x = groups.x;
    snapshot_args.groups_y = groups.y;
    snapshot_args.groups_z = 1u;
    snapshot_args.count = n;
    snapshot_args.frame = pass.constant;
    snapshot_args.complete = state.flags == 0u ? 1u : 0u;
}
