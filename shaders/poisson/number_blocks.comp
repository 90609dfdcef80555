// Does in one workgroup, where the block tables are small, what takes five passes otherwise: marks the
// ancestors of the blocks, sums the marks of preceding entries, and counts the blocks.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

REDUCTION(solve);
ATOMIC(state);
READ_ANY(blocks);
SHARE_ANY(block_marks);
#include "poisson/count_blocks.glsl"
#include "poisson/mark_parents.glsl"
#define SCAN_TYPE uint
#define SCAN_LANES POISSON_WORKGROUP
#include "reduce/workgroup_scan.glsl"

void main()
{
    if (workgroup_index() != 0u) return; // uniform across the workgroup
    uint lane = gl_LocalInvocationIndex, finest = multigrid.tables[0].w, last = multigrid.entries, sum = 0u;
    for (uint i = lane; i < finest; i += POISSON_WORKGROUP) mark_parents(i);
    memoryBarrierBuffer();
    barrier();
    for (uint first = 0u; first <= last; first += POISSON_WORKGROUP) {
        uint i = first + lane, all;
        uint before = workgroup_exclusive_scan(i <= last ? block_marks[i] : 0u, all);
        if (i <= last) block_marks[i] = sum + before;
        sum += all;
    }
    memoryBarrierBuffer();
    barrier();
    if (lane == 0u) count_blocks();
}
