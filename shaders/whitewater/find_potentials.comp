// Computes the potentials of whitewater emission (Ihmsen and others 2012): kinetic energy v2; trapped air v_i
// = sum |v_ij| (1 - v_ij.x_ij) W of unit vectors; crests kappa_i = sum (1 - n_i.n_j) W over the surface below
// the tangent plane, if the surface moves outwards; and curl (3/2) sum (v_ij x x_ij) W/r / sum W, half the
// vorticity. One invocation per fluid particle. All are negative for fluid that fills too little of its
// neighbourhood to emit whitewater; fluid below the minimum energy has the energy only.
#version 460
#include "bindings/whitewater.glsl"

BLOCK(grid);
BLOCK(state);
BLOCK(params);
READ_TEXELS(sorted_points);
READ_TEXELS(sorted_velocities);
READ_ANY(segments);
READ_ANY(bin_starts);
READ_TEXELS(surfaces);
WRITE_ANY(potentials);
WORK_ESTIMATE(60, 45, 48);

vec3 velocity, normal;
float weight, trapped, crest;
vec3 curl;

void add_neighbour(uint j, vec3 offset, float r, float w)
{
    if (r <= 0.0) return;
    vec3 unit = offset / r, v = velocity - TEXEL(sorted_velocities, j).xyz;
    vec3 other = TEXEL(surfaces, j).xyz;
    weight += w;
    trapped += (length(v) - dot(v, unit)) * w;
    curl += cross(v, unit) * (w / r);
    if (dot(other, other) > 0.0 && dot(unit, normal) > 0.0) crest += (1.0 - dot(normal, other)) * w;
}
#define WHITEWATER_NEIGHBOUR(j, offset, r, w) add_neighbour(j, offset, r, w)
#include "whitewater/fluid_neighbours.glsl"

// Returns trapped air, crests and curl of a point that moves with `velocity`.
vec3 sum_potentials(vec3 p, vec3 outwards)
{
    normal = outwards;
    weight = trapped = crest = 0.0;
    curl = vec3(0.0);
    whitewater_add_neighbours(p);
    float speed = length(velocity), turning = 1.5 * length(curl) / max(weight, 1e-30);
    bool breaks = dot(normal, velocity) >= WHITEWATER_CREST_COSINE * speed && speed > 0.0;
    bool surface = dot(normal, normal) > 0.0;
    return vec3(trapped, surface && breaks ? crest : 0.0, turning);
}

void main()
{
    uint i = invocation_index();
    if (i >= state.live) return;
    vec4 surface = TEXEL(surfaces, i), found = vec4(-1.0);
    velocity = TEXEL(sorted_velocities, i).xyz;
    if (surface.w >= WHITEWATER_MIN_PARENT_FRACTION) {
        found = vec4(dot(velocity, velocity), vec3(0.0));
        if (found.x > params.min_energy) found.yzw = sum_potentials(TEXEL(sorted_points, i).xyz, surface.xyz);
    }
    potentials[i] = found;
}
