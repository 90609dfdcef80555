// What the kernels over surface blocks share. Needs mesh_seat.glsl, params, state, seat_blocks[],
// surface_list[].

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
