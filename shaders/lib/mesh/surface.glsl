// Finds the slot of a block of the field, and sums over a workgroup for kernels over surface blocks.
// Buffers: params, seats, and those of mesh/blocks.glsl.
#ifndef MESH_SURFACE_GLSL
#define MESH_SURFACE_GLSL
#include "mesh/blocks.glsl"

uint mesh_find_seat(ivec3 at)
{
    uint block = mesh_find_block(at);
    if (block == MESH_NONE) return MESH_NONE;
    uint seat = seats[block];
    return seats[block + 1u] != seat ? seat : MESH_NONE;
}

shared uint surface_lane[MESH_WORKGROUP], surface_eight[8];

bool mesh_own(uint block) { return block >= params.slab_first && block < params.slab_end; }

// Sum of what the invocations before this one gave; every invocation calls it. all: of all.
uint surface_before(uint value, out uint all)
{
    uint me = gl_LocalInvocationIndex, before = 0u;
    surface_lane[me] = value;
    barrier();
    if (me < 8u) {
        uint sum = 0u;
        for (uint k = 0u; k < 8u; k++) sum += surface_lane[me * 8u + k];
        surface_eight[me] = sum;
    }
    barrier();
    all = 0u;
    for (uint k = 0u; k < 8u; k++) {
        before = k == me / 8u ? all : before;
        all += surface_eight[k];
    }
    for (uint k = 0u; k < 7u; k++) before += k < me % 8u ? surface_lane[me / 8u * 8u + k] : 0u;
    return before;
}
#endif
