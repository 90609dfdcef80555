// Does in one workgroup, where the block tables are small, what takes six passes otherwise: marks the
// ancestors of the blocks, sums the marks of preceding entries, counts the blocks, and clears the marks for
// the next substep.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

REDUCTION(solve);
ATOMIC(state);
READ_ANY(blocks);
SHARE_ANY(block_marks);
SHARE_ANY(block_numbers);
#include "poisson/count_blocks.glsl"
#include "poisson/mark_parents.glsl"
#define SCAN_TYPE uint
#define SCAN_LANES POISSON_WORKGROUP
#include "reduce/workgroup_scan.glsl"

const uint ENTRIES = POISSON_NUMBERED_ENTRIES / POISSON_WORKGROUP; // of an invocation

// Numbers the entries by the prefix sums of their marks, and clears these; `first`: the invocation's first
// entry.
void sum_marks(uint first)
{
    uint marks[ENTRIES], last = multigrid.entries, own = 0u, all;
    for (uint k = 0u; k < ENTRIES; k++) {
        marks[k] = 0u;
        if (first + k <= last) marks[k] = block_marks[first + k];
    }
    for (uint k = 0u; k < ENTRIES; k++) own += marks[k];
    uint before = workgroup_exclusive_scan(own, all);
    for (uint k = 0u; k < ENTRIES; k++) {
        if (first + k <= last) {
            block_numbers[first + k] = before;
            block_marks[first + k] = 0u;
        }
        before += marks[k];
    }
}

void main()
{
    if (workgroup_index() != 0u) return; // uniform across the workgroup
    uint lane = gl_LocalInvocationIndex, finest = multigrid.tables[0].w;
    for (uint i = lane; i < finest; i += POISSON_WORKGROUP) mark_parents(i);
    memoryBarrierBuffer();
    barrier();
    sum_marks(lane * ENTRIES);
    memoryBarrierBuffer();
    barrier();
    if (lane == 0u) count_blocks();
}
