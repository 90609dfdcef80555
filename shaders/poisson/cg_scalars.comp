// Reduces the partial sums of the blocks to the scalars of conjugate gradients; one workgroup. pass.constant:
// POISSON_SCALARS_*. Once the residual is small enough, all later passes of the solve have no workgroups.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

REDUCTION(solve);
READ_ANY(block_sums);
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

void main()
{
    uint scalar_kind = pass.constant;
    if (scalar_kind != POISSON_SCALARS_SOURCE && solve.done != 0u) return; // uniform across the workgroup
    vec4 found = sum_partials();
    if (gl_LocalInvocationIndex != 0u) return;
    if (scalar_kind == POISSON_SCALARS_SOURCE) {
        solve.has_surface = found.z > 8.0 + 0.05 * pow(found.y, 2.0 / 3.0) ? 1u : 0u;
        solve.mean = found.z > 0.0 ? 0.0 : found.x / max(found.y, 1.0);
        solve.source = solve.error = found.w;
        solve.iterations = solve.done = 0u;
        solve.residual_dot = 0.0;
        set_all_dispatch_args();
        if (!(found.w > 0.0)) end_solve();
    } else if (scalar_kind == POISSON_SCALARS_RESIDUAL_DOT) {
        solve.beta = solve.residual_dot > 0.0 ? found.x / solve.residual_dot : 0.0;
        solve.residual_dot = found.x;
    } else if (scalar_kind == POISSON_SCALARS_CURVATURE) {
        solve.alpha = found.x > 0.0 ? solve.residual_dot / found.x : 0.0;
    } else {
        solve.error = found.w;
        solve.iterations++;
        if (!(found.w > multigrid.tolerance * solve.source)) end_solve();
    }
}
