// Reduces the partial sums of the blocks to the scalars of conjugate gradients. The last workgroup of a pass
// to arrive does it, in a fixed order, so that no pass has to follow. Once the residual is small enough, all
// later passes of the solve have no workgroups.
// Buffers: solve (atomic), block_sums (coherent), blocks.
#ifndef POISSON_CG_SCALARS_GLSL
#define POISSON_CG_SCALARS_GLSL
#include "poisson/dispatch.glsl"
#include "reduce/max_sum.glsl"

// Sums every POISSON_WORKGROUP-th partial per invocation, so that the order is fixed.
vec4 sum_partials()
{
    uint count = solve.firsts[1];
    vec4 own = vec4(0.0);
    for (uint i = gl_LocalInvocationIndex; i < count; i += POISSON_WORKGROUP)
        own = combine_sums_and_max(own, block_sums[i]);
    return workgroup_sum_and_max(own);
}

void end_solve()
{
    solve.done = 1u;
    for (uint k = 0u; k < 3u * POISSON_MAX_LEVELS; k++) solve.arguments[k] = 0u;
}

void start_solve(vec4 found)
{
    solve.has_surface = found.z > 8.0 + 0.05 * pow(found.y, 2.0 / 3.0) ? 1u : 0u;
    solve.mean = found.z > 0.0 ? 0.0 : found.x / max(found.y, 1.0);
    solve.source = solve.error = found.w;
    solve.iterations = solve.done = 0u;
    solve.residual_dot = solve.alpha = 0.0;
    set_all_dispatch_args();
    if (!(found.w > 0.0)) end_solve();
}

void set_scalars(uint kind, vec4 found)
{
    if (kind == POISSON_SCALARS_START) {
        start_solve(found);
    } else if (kind == POISSON_SCALARS_RESIDUAL_DOT) {
        solve.beta = solve.residual_dot > 0.0 ? found.x / solve.residual_dot : 0.0;
        solve.residual_dot = found.x;
    } else if (kind == POISSON_SCALARS_CURVATURE) {
        solve.alpha = found.x > 0.0 ? solve.residual_dot / found.x : 0.0;
    } else {
        solve.error = found.w;
        solve.iterations++;
        if (!(found.w > multigrid.tolerance * solve.source)) end_solve();
    }
}

shared bool is_last_workgroup;

// Ends a pass after the sum of this workgroup's block is stored; every invocation must call it. The last
// workgroup to arrive sets the scalars of this kind.
void finish_pass(uint kind)
{
    if (gl_LocalInvocationIndex == 0u) {
        memoryBarrierBuffer();
        is_last_workgroup = atomicAdd(solve.arrived, 1u) + 1u == max(solve.firsts[1], 1u);
    }
    barrier();
    if (!is_last_workgroup) return; // uniform across the workgroup
    memoryBarrierBuffer();
    vec4 found = sum_partials();
    if (gl_LocalInvocationIndex != 0u) return;
    solve.arrived = 0u;
    set_scalars(kind, found);
}

// Stores the sum of a block of the finest level, of which `own` is the invocation's part, and ends the pass.
void finish_block_sum(uint block, vec4 own, uint kind)
{
    vec4 sum = workgroup_sum_and_max(own);
    if (gl_LocalInvocationIndex == 0u) block_sums[block] = sum;
    finish_pass(kind);
}
#endif
