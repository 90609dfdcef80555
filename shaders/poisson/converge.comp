// One workgroup: what the blocks' partials say. row.constant is one of POISSON_SOURCE and so on. Once the
// residual is small enough, all later rows of the solve have no workgroups.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

REDUCTION(solve);
READ_ANY(partials);
#include "poisson/dispatch.glsl"
#include "reduce/max_sum.glsl"

// Each invocation takes every POISSON_WORKGROUP-th partial, so that the order is fixed.
vec4 collect()
{
    uint count = solve.firsts[1];
    vec4 own = vec4(0.0);
    for (uint i = gl_LocalInvocationIndex; i < count; i += POISSON_WORKGROUP)
        own = lanes_pair(own, partials[i]);
    return lanes_join(own);
}

void stop()
{
    solve.done = 1u;
    for (uint k = 0u; k < 3u * POISSON_LEVELS; k++) solve.arguments[k] = 0u;
}

void main()
{
    uint what = row.constant;
    if (what != POISSON_SOURCE && solve.done != 0u) return; // alike in the whole workgroup
    vec4 found = collect();
    if (gl_LocalInvocationIndex != 0u) return;
    if (what == POISSON_SOURCE) {
        solve.mean = found.z > 0.0 ? 0.0 : found.x / max(found.y, 1.0);
        solve.source = solve.error = found.w;
        solve.iterations = solve.done = 0u;
        solve.product = 0.0;
        arm_levels();
        if (!(found.w > 0.0)) stop();
    } else if (what == POISSON_PRODUCT) {
        solve.turn = solve.product > 0.0 ? found.x / solve.product : 0.0;
        solve.product = found.x;
    } else if (what == POISSON_CURVATURE) {
        solve.step = found.x > 0.0 ? solve.product / found.x : 0.0;
    } else {
        solve.error = found.w;
        solve.iterations++;
        if (!(found.w > multigrid.tolerance * solve.source)) stop();
    }
}
