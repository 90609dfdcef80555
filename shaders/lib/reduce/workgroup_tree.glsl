// Reduces one value of each invocation of a workgroup as a binary tree, in one fixed order whatever the size
// of a subgroup. `add` adds element `lane + half_count` of the caller's shared memory to element `lane`; the
// elements must be visible to the workgroup, and every invocation must get here.
#ifndef REDUCE_WORKGROUP_TREE_GLSL
#define REDUCE_WORKGROUP_TREE_GLSL

#define WORKGROUP_TREE(lane, count, add)                                             \
    for (uint half_count = (count) / 2u; half_count > 0u; half_count /= 2u) {        \
        if (lane < half_count) add;                                                  \
        barrier();                                                                   \
    }
#endif
