// Second of three passes of solver.reseed: computes the exclusive prefix sums, over blocks, of free slots and
// excess particles; one workgroup. The k-th excess particle goes to the k-th slot, until either runs out.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
BLOCK(solve);
REDUCTION(reseed_block_offsets);
#define SCAN_TYPE uvec2
#define SCAN_LANES POISSON_WORKGROUP
#include "reduce/workgroup_scan.glsl"

void main()
{
    bool works = status.running != 0u && state.flags == 0u; // uniform across the workgroup
    uint blocks = works ? solve.firsts[1] : 0u;
    uint each = (blocks + POISSON_WORKGROUP - 1u) / POISSON_WORKGROUP;
    uint first = min(gl_LocalInvocationIndex * each, blocks), last = min(first + each, blocks);
    uvec2 own = uvec2(0u), sum;
    for (uint b = first; b < last; b++) own += reseed_block_offsets[b].zw;
    uvec2 before = workgroup_exclusive_scan(own, sum);
    for (uint b = first; b < last; b++) {
        reseed_block_offsets[b].xy = before;
        before += reseed_block_offsets[b].zw;
    }
    if (works && gl_LocalInvocationIndex == 0u) status.reseeded = min(sum.x, sum.y);
}
