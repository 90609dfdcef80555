// Computes fluid fractions and collisions of whitewater at the domain's closed sides and at solids. Loops
// over solids test HAS_SOLIDS, or drivers keep their code in scenes without solids, which costs a fifth of
// the time of advect.comp.
// Buffers: params, items, poses, solid_nodes, solid_volumes.
#ifndef WHITEWATER_BOUNDARY_GLSL
#define WHITEWATER_BOUNDARY_GLSL
#include "sdf/node_program.glsl"

struct whitewater_surface {
    float distance; // m, negative inside
    vec3 normal;
    vec3 velocity;  // m/s: of the solid at the point
    float friction;
};

// Finds the surface of a solid near p. Returns false if it is farther than `reach`.
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

// Returns 1 along the axes whose lower (upper = 0) or upper (1) side is closed. Computes all three at once,
// because CPU drivers are slow at dynamic indexing of components.
vec3 whitewater_closed_sides(uint upper)
{
    return vec3(uvec3(params.closed_sides) >> (uvec3(0u, 2u, 4u) + upper) & 1u);
}

// Contribution of the boundary to the sums over fluid, as if it were filled with fluid.
struct whitewater_boundary {
    float fraction;   // fraction of a full neighbourhood
    vec3 normal;   // sum of unit offsets from neighbours, over that of a full neighbourhood
    vec3 gradient; // gradient of `fraction`, 1/m
    float depth;   // m: depth in the solid in which the point is deepest
};

// Integrals over the half space behind a flat boundary at the distance s h, with the weight 1 - r/h: its
// fraction of the total weight, the sum of unit offsets, and the slope of the fraction, 1/m.
vec3 half_space_fraction(vec3 s) { return 0.5 - s + s * s * s - 0.5 * (s * s) * (s * s); }
vec3 half_space_normal(vec3 s) { return 0.25 - 1.5 * s * s + 2.0 * s * s * s - 0.75 * (s * s) * (s * s); }
vec3 half_space_slope(vec3 s) { return (1.0 - 3.0 * s * s + 2.0 * s * s * s) * params.inverse_h; }

// Adds the fraction of a boundary; the sum is limited to a full neighbourhood.
void whitewater_add_fraction(inout whitewater_boundary walls, float fraction)
{
    walls.fraction += min(fraction, 1.0 - walls.fraction);
}

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

// Moves a particle to a solid's surface and removes the part of its velocity that points into the solid.
void whitewater_resolve_contact(inout vec3 p, inout vec3 v, whitewater_surface wall, float radius)
{
    p += wall.normal * (radius - wall.distance);
    vec3 w = v - wall.velocity;
    float inward = dot(w, wall.normal);
    if (inward >= 0.0) return;
    v = wall.velocity + (w - inward * wall.normal) * (1.0 - wall.friction);
}

// Resolves contacts with the closed sides of the domain. Friction acts once for each side that is hit.
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

// Resolves contacts with all solids. Returns true if one was nearer than `reach`.
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

// Moves a particle out of all boundaries. Repeats this if one boundary moves it into another. Returns false
// if there is no room, for instance between a side and a solid that approaches it.
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

// Wraps a position into the domain on periodic axes.
vec3 whitewater_wrap(vec3 p)
{
    vec3 period = params.period.xyz, low = params.domain_min.xyz;
    bvec3 wraps = greaterThan(period, vec3(0.0));
    return p - mix(vec3(0.0), period * floor((p - low) / max(period, vec3(1e-30))), wraps);
}
#endif
