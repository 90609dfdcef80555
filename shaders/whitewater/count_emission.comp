// Computes how many whitewater particles each fluid particle emits in this frame (Ihmsen and others 2012):
// each potential, clamped to 0 to 1, times that of the kinetic energy. One invocation per fluid particle.
// Rates are per volume or area of fluid; n = floor(rate + u), so that rates below 1 are exact on average.
#version 460
#include "bindings/whitewater.glsl"
#include "math/random.glsl"

BLOCK(state);
BLOCK(params);
READ_ANY(potentials);
READ_ANY(sorted_points);
WRITE_ANY(emission_offsets);
ATOMIC(counters);

void main()
{
    uint i = invocation_index();
    if (i > params.point_count) return;
    emission_offsets[i] = 0u; // the scan stores the total after the last element
    if (i >= state.live) return;
    // 0 at the threshold of emission, 1 where emission is greatest.
    vec4 shares = clamp((potentials[i] - params.thresholds) * params.inverse_ranges, 0.0, 1.0);
    if (shares.x <= 0.0) return;
    precise vec3 rate = params.rates.xyz * shares.yzw * shares.x;
    uint id = floatBitsToUint(sorted_points[i].w);
    vec4 u = random_floats(uvec4(id, params.frame, WHITEWATER_RANDOM_COUNTS, params.seed));
    uvec3 n = uvec3(clamp(floor(rate + u.xyz), 0.0, float(WHITEWATER_MAX_EMITTED)));
    emission_offsets[i] = n.x + n.y + n.z;
    for (uint cause = 0u; cause < WHITEWATER_CAUSES; cause++)
        if (n[cause] != 0u) atomicAdd(counters.emitted[cause], n[cause]);
}
