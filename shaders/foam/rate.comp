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
GATHER(surfaces);
SCATTER(births);
ATOMIC(census);
WORK(80, 45, 48);

vec3 velocity, normal;
float weight, trapped, crest;
vec3 curl;

void add_neighbour(uint j, vec3 offset, float r, float w)
{
    if (r <= 0.0) return;
    vec3 unit = offset / r, v = velocity - FETCHED(sorted_velocities, j).xyz;
    vec3 other = surfaces[j].xyz;
    weight += w;
    trapped += (length(v) - dot(v, unit)) * w;
    curl += cross(v, unit) * (w / r);
    if (dot(other, other) > 0.0 && dot(unit, normal) > 0.0) crest += (1.0 - dot(normal, other)) * w;
}
#define FOAM_NEIGHBOUR(j, offset, r, w) add_neighbour(j, offset, r, w)
#include "foam_near.glsl"

// Of the kinetic energy.
float energy()
{
    return clamp((dot(velocity, velocity) - params.low.x) * params.inverse_span.x, 0.0, 1.0);
}

// Of trapped air, crests and curl.
vec3 potentials()
{
    float speed = length(velocity), turning = 1.5 * length(curl) / max(weight, 1e-30);
    bool breaks = dot(normal, velocity) >= FOAM_CREST_COSINE * speed && speed > 0.0;
    bool surface = dot(normal, normal) > 0.0;
    vec3 all = vec3(trapped, surface && breaks ? crest : 0.0, turning);
    return clamp((all - params.low.yzw) * params.inverse_span.yzw, 0.0, 1.0);
}

void main()
{
    uint i = row_index();
    if (i > params.point_count) return;
    if (i >= state.live) {
        births[i] = 0u; // the scan leaves their sum here
        return;
    }
    vec4 p = FETCHED(sorted_points, i), surface = surfaces[i];
    velocity = FETCHED(sorted_velocities, i).xyz;
    normal = surface.xyz;
    float moving = surface.w >= FOAM_FILL_PARENT ? energy() : 0.0;
    if (moving <= 0.0) {
        births[i] = 0u;
        return;
    }
    weight = trapped = crest = 0.0;
    curl = vec3(0.0);
    foam_add_neighbours(p.xyz);
    precise vec3 rate = params.rates.xyz * potentials() * moving;
    vec4 u = random_numbers(uvec4(floatBitsToUint(p.w), params.frame, FOAM_DRAW_COUNTS, params.seed));
    uvec3 n = uvec3(clamp(floor(rate + u.xyz), 0.0, float(FOAM_BIRTHS_MOST)));
    births[i] = n.x + n.y + n.z;
    for (uint cause = 0u; cause < FOAM_CAUSES; cause++)
        if (n[cause] != 0u) atomicAdd(census.born[cause], n[cause]);
}
