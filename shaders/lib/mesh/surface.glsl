// Finds the slot of a block whose field is stored, and computes prefix sums over the workgroup of a surface
// block.
// Buffers: params, block_slots, and those of mesh/blocks.glsl.
#ifndef MESH_SURFACE_GLSL
#define MESH_SURFACE_GLSL
#include "mesh/blocks.glsl"

uint mesh_find_slot(ivec3 at)
{
    uint block = mesh_find_block(at);
    if (block == MESH_NOT_FOUND) return MESH_NOT_FOUND;
    uint slot = block_slots[block];
    return block_slots[block + 1u] != slot ? slot : MESH_NOT_FOUND;
}

shared uint scan_values[MESH_WORKGROUP], scan_sums[8];

bool mesh_in_batch(uint block) { return block >= params.batch_first && block < params.batch_end; }

// Returns the sum of the values of all lower invocations; `all` is the sum of all. Every invocation must call
// it.
uint workgroup_exclusive_sum(uint value, out uint all)
{
    uint me = gl_LocalInvocationIndex, before = 0u;
    scan_values[me] = value;
    barrier();
    if (me < 8u) {
        uint sum = 0u;
        for (uint k = 0u; k < 8u; k++) sum += scan_values[me * 8u + k];
        scan_sums[me] = sum;
    }
    barrier();
    all = 0u;
    for (uint k = 0u; k < 8u; k++) {
        before = k == me / 8u ? all : before;
        all += scan_sums[k];
    }
    for (uint k = 0u; k < 7u; k++) before += k < me % 8u ? scan_values[me / 8u * 8u + k] : 0u;
    return before;
}
#endif
