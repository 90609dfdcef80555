// Reduces the sums of cg_rhs_sums.comp to the scalars at the start of conjugate gradients; one workgroup. It
// is no part of that pass, which has no workgroups where there are no blocks.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

ATOMIC(solve);
SHARE_ANY(block_sums);
#include "poisson/cg_scalars.glsl"

void main()
{
    vec4 found = sum_partials();
    if (gl_LocalInvocationIndex != 0u) return;
    solve.has_surface = found.z > 8.0 + 0.05 * pow(found.y, 2.0 / 3.0) ? 1u : 0u;
    solve.mean = found.z > 0.0 ? 0.0 : found.x / max(found.y, 1.0);
    solve.source = solve.error = found.w;
    solve.iterations = solve.done = solve.arrived = 0u;
    solve.residual_dot = solve.alpha = 0.0;
    set_all_dispatch_args();
    if (!(found.w > 0.0)) end_solve();
}
