// Sums xyz and takes the maximum of w over a workgroup of POISSON_WORKGROUP invocations, in a fixed order.
#ifndef REDUCE_MAX_SUM_GLSL
#define REDUCE_MAX_SUM_GLSL
#define SUM_TYPE vec4
#define SUM_LANES POISSON_WORKGROUP
#define SUM_OF(a, b) combine_sums_and_max(a, b)

vec4 combine_sums_and_max(vec4 a, vec4 b) { return vec4(a.xyz + b.xyz, max(a.w, b.w)); }

#include "reduce/workgroup_sum.glsl"

vec4 workgroup_sum_and_max(vec4 value) { return workgroup_sum(value); }
#endif
