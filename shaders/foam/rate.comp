// How much whitewater each fluid particle makes in this frame, after Ihmsen and others 2012: trapped air
// v_i = sum |v_ij| (1 - v_ij.x_ij) W of unit vectors; crests kappa_i = sum (1 - n_i.n_j) W over the surface
// behind the tangent plane, where the surface moves outwards; and curl (3/2) sum (v_ij x x_ij) W/r / sum W,
// half the vorticity. Each potential is clamped to 0 to 1 and times that of the kinetic energy. Rates are
// per volume or area of fluid; n = floor(rate + u), so that rates below 1 are exact in the mean.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "foam.glsl"
#include "random.glsl"

BLOCK(grid);
BLOCK(state);
BLOCK(params);
FETCH(sorted_points);
FETCH(sorted_velocities);
GATHER(segments);
GATHER(cell_starts);
FETCH(surfaces);
SCATTER(births);
ATOMIC(census);
WORK(80, 45, 48);

#include "foam_potential.glsl"

// 0 to 1 from where births begin to where there are most.
vec4 shares(vec4 potentials)
{
    return clamp((potentials - params.low) * params.inverse_span, 0.0, 1.0);
}

void main()
{
    uint i = row_index();
    if (i > params.point_count) return;
    if (i >= state.live) {
        births[i] = 0u; // the scan leaves their sum here
        return;
    }
    vec4 p = FETCHED(sorted_points, i), surface = FETCHED(surfaces, i);
    velocity = FETCHED(sorted_velocities, i).xyz;
    float moving = shares(vec4(dot(velocity, velocity))).x;
    if (surface.w < FOAM_FILL_PARENT || moving <= 0.0) {
        births[i] = 0u;
        return;
    }
    precise vec3 rate = params.rates.xyz * shares(foam_potentials(p.xyz, surface.xyz)).yzw * moving;
    vec4 u = random_numbers(uvec4(floatBitsToUint(p.w), params.frame, FOAM_DRAW_COUNTS, params.seed));
    uvec3 n = uvec3(clamp(floor(rate + u.xyz), 0.0, float(FOAM_BIRTHS_MOST)));
    births[i] = n.x + n.y + n.z;
    for (uint cause = 0u; cause < FOAM_CAUSES; cause++)
        if (n[cause] != 0u) atomicAdd(census.born[cause], n[cause]);
}
