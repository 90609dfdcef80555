// How much whitewater each fluid particle makes in this frame, after Ihmsen and others 2012: each potential
// is clamped to 0 to 1 and times that of the kinetic energy. Rates are per volume or area of fluid;
// n = floor(rate + u), so that rates below 1 are exact in the mean.
#version 460
#include "bindings/whitewater.glsl"
#include "math/random.glsl"

BLOCK(state);
BLOCK(params);
READ_ANY(potentials);
READ_ANY(sorted_points);
WRITE_ANY(births);
ATOMIC(census);

void main()
{
    uint i = row_index();
    if (i > params.point_count) return;
    births[i] = 0u; // the scan leaves their sum behind the last
    if (i >= state.live) return;
    // 0 to 1 from where births begin to where there are most.
    vec4 shares = clamp((potentials[i] - params.low) * params.inverse_span, 0.0, 1.0);
    if (shares.x <= 0.0) return;
    precise vec3 rate = params.rates.xyz * shares.yzw * shares.x;
    uint id = floatBitsToUint(sorted_points[i].w);
    vec4 u = random_numbers(uvec4(id, params.frame, FOAM_DRAW_COUNTS, params.seed));
    uvec3 n = uvec3(clamp(floor(rate + u.xyz), 0.0, float(FOAM_BIRTHS_MOST)));
    births[i] = n.x + n.y + n.z;
    for (uint cause = 0u; cause < FOAM_CAUSES; cause++)
        if (n[cause] != 0u) atomicAdd(census.born[cause], n[cause]);
}
