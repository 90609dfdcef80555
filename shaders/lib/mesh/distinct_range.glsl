// Finds out which invocations of a workgroup have the same range of blocks, so that one of them marks it:
// particles near one another would wait for the same words.
// Buffers: params.
#ifndef MESH_DISTINCT_RANGE_GLSL
#define MESH_DISTINCT_RANGE_GLSL

shared uvec2 range_keys[MESH_WORKGROUP];
shared uint range_owner[MESH_WORKGROUP]; // per hash of a range: the first invocation that has one

// Returns whether the invocation is to mark the blocks or super blocks from `low` to `high`; of equal ranges,
// at least one invocation is. A range has less than 128 along an axis. Every invocation must call it.
bool range_is_distinct(uvec3 low, uvec3 high)
{
    uint me = gl_LocalInvocationIndex;
    uvec3 more = (high - low) & 127u;
    uvec2 key = uvec2(mesh_super_block_index(params, low >> 3u),
                      mesh_child_index(low) | more.x << 9 | more.y << 16 | more.z << 23);
    uint hash = (key.x * 0x9e3779b1u ^ key.y * 0x85ebca77u) >> 20 & MESH_WORKGROUP - 1u;
    range_keys[me] = key;
    range_owner[me] = MESH_NOT_FOUND;
    barrier();
    atomicMin(range_owner[hash], me);
    barrier();
    uint owner = range_owner[hash];
    return owner == me || range_keys[owner] != key;
}
#endif
