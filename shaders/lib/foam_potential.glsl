// What births of whitewater depend on, after Ihmsen and others 2012: kinetic energy, trapped air, crests and
// curl. Needs foam.glsl, `grid`, `params`, `segments`, `cell_starts`, `sorted_points`, `sorted_velocities`
// and `surfaces`.
vec3 velocity, normal;
float weight, trapped, crest;
vec3 curl;

void add_neighbour(uint j, vec3 offset, float r, float w)
{
    if (r <= 0.0) return;
    vec3 unit = offset / r, v = velocity - FETCHED(sorted_velocities, j).xyz;
    vec3 other = FETCHED(surfaces, j).xyz;
    weight += w;
    trapped += (length(v) - dot(v, unit)) * w;
    curl += cross(v, unit) * (w / r);
    if (dot(other, other) > 0.0 && dot(unit, normal) > 0.0) crest += (1.0 - dot(normal, other)) * w;
}
#define FOAM_NEIGHBOUR(j, offset, r, w) add_neighbour(j, offset, r, w)
#include "foam_near.glsl"

// v2, trapped air, crests and curl of a point that moves with `velocity`.
vec4 foam_potentials(vec3 p, vec3 outwards)
{
    normal = outwards;
    weight = trapped = crest = 0.0;
    curl = vec3(0.0);
    foam_add_neighbours(p);
    float speed = length(velocity), turning = 1.5 * length(curl) / max(weight, 1e-30);
    bool breaks = dot(normal, velocity) >= FOAM_CREST_COSINE * speed && speed > 0.0;
    bool surface = dot(normal, normal) > 0.0;
    return vec4(dot(velocity, velocity), trapped, surface && breaks ? crest : 0.0, turning);
}
