// What the kernels over surface blocks share. Needs mesh_place.glsl, params, state, place_blocks[],
// surface_list[].

shared uint surface_lane[MESH_WORKGROUP];

bool mesh_own(uint block) { return block >= params.slab_first && block < params.slab_end; }

// Sum of what the invocations before this one gave; every invocation calls it. *all: of all.
uint surface_before(uint value, out uint all)
{
    uint me = gl_LocalInvocationIndex, before = 0u;
    surface_lane[me] = value;
    barrier();
    all = 0u;
    for (uint k = 0u; k < MESH_WORKGROUP; k++) {
        before = k == me ? all : before;
        all += surface_lane[k];
    }
    return before;
}
