// Computes the closed sides and the solids as whitewater meets them. Loops over solids ask HAS_SOLIDS, or
// drivers keep their code where there are none: a fifth of move's time.
// Buffers: params, items, poses, solid_nodes, solid_volumes.
#ifndef WHITEWATER_BOUNDARY_GLSL
#define WHITEWATER_BOUNDARY_GLSL
#include "sdf/node_program.glsl"

struct whitewater_surface {
    float distance; // m, negative inside
    vec3 normal;
    vec3 velocity;  // m/s, of the solid at the point
    float friction;
};

// False where the solid is farther than `reach`.
bool whitewater_find_solid(vec3 p, uint item, float reach, out whitewater_surface found)
{
    solid_pose pose = poses[item];
    vec4 back = vec4(-pose.rotation.xyz, pose.rotation.w);
    vec3 local = solid_rotate(back, p - pose.position.xyz);
    vec4 bound = items[item].bound;
    found = whitewater_surface(1e30, vec3(0.0), vec3(0.0), 0.0);
    if (bound.w >= 0.0 && distance(local, bound.xyz) >= bound.w + reach) return false;
    vec4 surface = solid_distance_gradient(items[item].first_node, items[item].node_count, pose.position.w,
                                           local);
    vec3 before = solid_rotate(pose.last_rotation, local) + pose.last_position.xyz;
    found = whitewater_surface(surface.w, solid_rotate(pose.rotation, surface.xyz), (p - before) / params.dt,
                         items[item].friction);
    return surface.w < reach;
}

// 1 along the axes whose lower or upper side is closed. All three are done at once: CPU drivers are slow to
// pick a component by a number.
vec3 whitewater_closed_sides(uint upper) { return vec3(uvec3(params.closed_sides) >> (uvec3(0u, 2u, 4u) + upper) & 1u); }

// What walls add where they stand in for fluid.
struct whitewater_boundary {
    float fraction;   // of a full neighbourhood
    vec3 normal;   // of the sum of unit offsets from neighbours, likewise
    vec3 gradient; // of the share, 1/m
    float depth;   // m: in the solid that the point is deepest in
};

// The half space behind a wall at the distance s h, under the weight 1 - r/h: its share of the weight, the
// sum of unit offsets, and the slope of the share.
vec3 half_space_fraction(vec3 s) { return 0.5 - s + s * s * s - 0.5 * (s * s) * (s * s); }
vec3 half_space_normal(vec3 s) { return 0.25 - 1.5 * s * s + 2.0 * s * s * s - 0.75 * (s * s) * (s * s); }
vec3 half_space_slope(vec3 s) { return (1.0 - 3.0 * s * s + 2.0 * s * s * s) * params.inverse_h; }

// Walls that meet are added up to a full neighbourhood.
void whitewater_add_fraction(inout whitewater_boundary walls, float fraction) { walls.fraction += min(fraction, 1.0 - walls.fraction); }

void whitewater_add_sides(inout whitewater_boundary walls, vec3 p)
{
    vec3 far = vec3(1.0), low = clamp((p - params.domain_min.xyz) * params.inverse_h, 0.0, 1.0);
    vec3 high = clamp((params.domain_max.xyz - p) * params.inverse_h, 0.0, 1.0);
    low = mix(far, low, whitewater_closed_sides(0u));
    high = mix(far, high, whitewater_closed_sides(1u));
    vec3 low_share = half_space_fraction(low), high_share = half_space_fraction(high);
    whitewater_add_fraction(walls, low_share.x);
    whitewater_add_fraction(walls, high_share.x);
    whitewater_add_fraction(walls, low_share.y);
    whitewater_add_fraction(walls, high_share.y);
    whitewater_add_fraction(walls, low_share.z);
    whitewater_add_fraction(walls, high_share.z);
    walls.normal += half_space_normal(low) - half_space_normal(high);
    walls.gradient -= half_space_slope(low) - half_space_slope(high);
}

whitewater_boundary whitewater_find_boundary(vec3 p)
{
    whitewater_boundary walls = whitewater_boundary(0.0, vec3(0.0), vec3(0.0), 0.0);
    whitewater_add_sides(walls, p);
    uint solids = params.solid_count;
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        whitewater_surface surface;
        if (!whitewater_find_solid(p, item, params.h, surface)) continue;
        vec3 s = vec3(clamp(surface.distance * params.inverse_h, 0.0, 1.0));
        whitewater_add_fraction(walls, half_space_fraction(s).x);
        walls.normal += surface.normal * half_space_normal(s).x;
        walls.gradient -= surface.normal * half_space_slope(s).x;
        walls.depth = max(walls.depth, -surface.distance);
    }
    return walls;
}

// Takes the particle to the solid's surface, and its velocity out of it.
void whitewater_resolve_contact(inout vec3 p, inout vec3 v, whitewater_surface wall, float radius)
{
    p += wall.normal * (radius - wall.distance);
    vec3 w = v - wall.velocity;
    float inward = dot(w, wall.normal);
    if (inward >= 0.0) return;
    v = wall.velocity + (w - inward * wall.normal) * (1.0 - wall.friction);
}

// The same for the closed sides of the domain. Friction acts once for each side that is run into.
void whitewater_collide_sides(inout vec3 p, inout vec3 v, float radius)
{
    vec3 low = max(radius - (p - params.domain_min.xyz), 0.0) * whitewater_closed_sides(0u);
    p += low;
    vec3 high = max(radius - (params.domain_max.xyz - p), 0.0) * whitewater_closed_sides(1u);
    p -= high;
    vec3 hit = vec3(lessThan(v * (low - high), vec3(0.0)));
    v *= 1.0 - hit;
    vec3 kept = 1.0 - hit * params.friction;
    v *= kept.x * kept.y * kept.z;
}

// True where one was nearer than `reach`.
bool whitewater_collide_solids(inout vec3 p, inout vec3 v, float radius, float reach)
{
    bool met = false;
    uint solids = params.solid_count;
    for (uint item = 0u; item < solids; item++) {
        whitewater_surface surface;
        if (!whitewater_find_solid(p, item, reach, surface)) continue;
        whitewater_resolve_contact(p, v, surface, radius);
        met = true;
    }
    return met;
}

// Takes the particle out of all walls. One may take it into another: then it is taken out anew. False where
// there is no room, as between a side and a solid that comes towards it.
bool whitewater_collide(inout vec3 p, inout vec3 v, float radius)
{
    bool met = HAS_SOLIDS;
    whitewater_collide_sides(p, v, radius);
    for (uint turn = 0u; HAS_SOLIDS && met && turn < WHITEWATER_COLLISION_STEPS; turn++) {
        met = whitewater_collide_solids(p, v, radius, turn == 0u ? radius : 0.0);
        if (met) whitewater_collide_sides(p, v, radius);
    }
    return !met;
}

// Back into the domain on periodic axes.
vec3 whitewater_wrap(vec3 p)
{
    vec3 period = params.period.xyz, low = params.domain_min.xyz;
    bvec3 wraps = greaterThan(period, vec3(0.0));
    return p - mix(vec3(0.0), period * floor((p - low) / max(period, vec3(1e-30))), wraps);
}
#endif
