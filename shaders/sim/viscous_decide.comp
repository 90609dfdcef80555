// One iteration of conjugate gradients for viscosity, second of three: one workgroup adds the sums in a
// fixed order and finds alpha and beta (Chronopoulos and Gear 1989, which needs all sums at one place only),
// or ends the solve: the residual is small enough, or row.constant iterations are done.
#version 460
#define WORKGROUP 256
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
REDUCTION(viscous);
READ_ANY(viscous_partials);
#define SUM_TYPE vec2
#define SUM_LANES SIM_VISCOUS_GROUP
#include "reduce/workgroup_sum.glsl"

vec2 sum_partials(uint lane)
{
    uint n = viscous.partials;
    vec2 sum = vec2(0.0);
    for (uint k = lane; k < n; k += SIM_VISCOUS_GROUP) sum += viscous_partials[k];
    return sum;
}

void decide(float size, float product)
{
    bool first = row.inner == 0u;
    float before = viscous.size, start = first ? size : viscous.first_size;
    float keep = first ? 0.0 : size / before;
    float slope = product - (first ? 0.0 : keep * size / viscous.step);
    const float tolerance = SIM_VISCOUS_TOLERANCE * SIM_VISCOUS_TOLERANCE;
    bool goes_on = size > tolerance * start && slope > 0.0 && row.inner < row.constant; // false for no number
    viscous.size = size;
    viscous.first_size = start;
    viscous.keep = keep;
    viscous.step = size / slope;
    if (goes_on) return;
    viscous.loop = gpu_loop(0u, 0u, 0u, row.inner);
    viscous.one_x = viscous.one_y = viscous.one_z = 0u;
    status.viscous_iterations = row.inner;
    status.viscous_residual = floatBitsToUint(start > 0.0 ? sqrt(size / start) : 0.0);
}

void main()
{
    uint lane = gl_LocalInvocationIndex;
    vec2 sum = workgroup_sum(sum_partials(lane));
    if (lane == 0u) decide(sum.x, sum.y);
}
