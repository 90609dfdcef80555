// Second of three passes of a conjugate gradient iteration for viscosity: adds the partial dot products in a
// fixed order and computes alpha and beta (Chronopoulos and Gear 1989, which needs one reduction per
// iteration), or ends the solve once the residual is small enough or pass.constant iterations are done. If
// the host has recorded too few, a flag stops the frame. One workgroup.
#version 460
#define WORKGROUP 256
#include "bindings/sim.glsl"

REDUCTION(state);
REDUCTION(status);
REDUCTION(viscous_cg);
READ_ANY(viscous_partials);
#define SUM_TYPE vec2
#define SUM_LANES SIM_VISCOUS_WORKGROUP
#include "reduce/workgroup_sum.glsl"

vec2 reduce_partials(uint lane)
{
    uint n = viscous_cg.partial_count;
    vec2 sum = vec2(0.0);
    for (uint k = lane; k < n; k += SIM_VISCOUS_WORKGROUP) sum += viscous_partials[k];
    return sum;
}

void update_scalars(float size, float product)
{
    bool first = pass.inner == 0u;
    float before = viscous_cg.residual_dot, start = first ? size : viscous_cg.initial_residual_dot;
    float keep = first ? 0.0 : size / before;
    float slope = product - (first ? 0.0 : keep * size / viscous_cg.alpha);
    const float tolerance = SIM_VISCOUS_TOLERANCE * SIM_VISCOUS_TOLERANCE;
    bool wanted = size > tolerance * start && slope > 0.0; // false if one of them is NaN
    bool goes_on = wanted && pass.inner < pass.constant;
    viscous_cg.residual_dot = size;
    viscous_cg.initial_residual_dot = start;
    viscous_cg.beta = keep;
    viscous_cg.alpha = size / slope;
    if (goes_on) return;
    if (wanted && pass.inner < SIM_VISCOUS_MAX_ITERATIONS) state.flags |= SIM_FLAG_FRAME_UNFINISHED;
    viscous_cg.loop = gpu_loop(0u, 0u, 0u, pass.inner);
    viscous_cg.reduce_groups_x = viscous_cg.reduce_groups_y = viscous_cg.reduce_groups_z = 0u;
    status.viscous_iterations = pass.inner;
    status.viscous_residual = floatBitsToUint(start > 0.0 ? sqrt(size / start) : 0.0);
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    vec2 sum = workgroup_sum(reduce_partials(lane));
    if (lane == 0u) update_scalars(sum.x, sum.y);
}
