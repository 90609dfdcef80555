// Computes distances, density and projection for the closed sides of the domain, in fixed-point positions.
// Buffers: params.
#ifndef BOUNDARY_DOMAIN_SIDES_GLSL
#define BOUNDARY_DOMAIN_SIDES_GLSL
#include "math/fixed_point.glsl"
#include "particles/smoothing_kernels.glsl"

struct boundary_sum {
    float density;  // fraction of the rest density
    vec3 gradient;  // 1/m: of the constraint at p_i, towards the boundary
    float nearest;  // m: distance of the nearest solid, at most h
    float moved;    // fraction of the rest density added by the boundary's own motion in this substep
};

boundary_sum boundary_none() { return boundary_sum(0.0, vec3(0.0), -1e30, 0.0); }

// Adds a flat boundary at the distance phi. It fills the half space behind it; for the density, from
// boundary_shift on. Where two boundaries overlap, their free fractions multiply (exact for separable
// kernels, close enough for radial ones).
void boundary_add_plane_in(inout boundary_sum sum, float phi, vec3 normal, vec3 motion, bool planar)
{
    if (phi >= params.h) return;
    if (planar) normal.z = 0.0;
    float share = kernel_boundary_density((phi + params.boundary_shift) / params.h, planar);
    vec3 gradient = -normal * kernel_boundary_gradient(phi / params.h, params.h, planar);
    sum.moved = sum.moved * (1.0 - share) - dot(gradient, motion) * (1.0 - sum.density);
    sum.gradient = sum.gradient * (1.0 - share) + gradient * (1.0 - sum.density);
    sum.density += share - sum.density * share;
}

void boundary_add_plane(inout boundary_sum sum, float phi, vec3 normal, vec3 motion)
{
    boundary_add_plane_in(sum, phi, normal, motion, params.planar != 0u);
}

// Adds boundaries with the gradient xyz and the density w.
void boundary_combine(inout boundary_sum sum, vec4 others)
{
    sum.gradient = sum.gradient * (1.0 - others.w) + others.xyz * (1.0 - sum.density);
    sum.density += others.w - sum.density * others.w;
}

// Distances of a position from the lower and the upper sides of the domain, m; 1e30 for sides that are not
// closed.
struct boundary_sides {
    vec3 low, high;
};

vec3 boundary_closed_sides(uint sides, vec3 distances)
{
    return mix(vec3(1e30), distances, equal(uvec3(sides, sides >> 4u, sides >> 8u) & 3u, uvec3(0u)));
}

boundary_sides boundary_side_distances(ivec3 p)
{
    uint sides = params.sides;
    return boundary_sides(boundary_closed_sides(sides, fixed_offset(p, params.fixed_min.xyz)),
                      boundary_closed_sides(sides >> 2u, fixed_offset(params.fixed_max.xyz, p)));
}

vec3 boundary_side_normal(uint side)
{
    vec3 n = vec3(0.0);
    n[side >> 1] = (side & 1u) == 0u ? 1.0 : -1.0;
    return n;
}

// Returns whether any closed side is within `reach` of p.
bool boundary_near_side(ivec3 p, float reach)
{
    boundary_sides sides = boundary_side_distances(p);
    vec3 nearer = min(sides.low, sides.high);
    return min(min(nearer.x, nearer.y), nearer.z) < reach;
}

// Returns the density of the domain's sides at p.
boundary_sum boundary_sides_density(ivec3 p)
{
    boundary_sum sum = boundary_none();
    if (params.boundary_density == 0u) return sum;
    boundary_sides sides = boundary_side_distances(p);
    sum.nearest = params.h;
    for (uint side = 0u; side < 6u; side++)
        boundary_add_plane(sum, (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1],
                 boundary_side_normal(side), vec3(0.0));
    return sum;
}

// Returns the displacement by Coulomb friction: it shortens the tangential part of `displacement`, which is
// relative to the boundary's own, by at most friction times the push.
vec3 boundary_friction(vec3 displacement, vec3 normal, float push, float friction)
{
    vec3 tangential = displacement - normal * dot(displacement, normal);
    float size = length(tangential);
    return size > 0.0 ? -tangential * min(1.0, friction * push / size) : vec3(0.0);
}

// Returns the displacement by the friction of the domain's sides against `push`, the displacement by which
// they carry the particle. `before` (m): displacement since the substep's start.
vec3 boundary_sides_friction(vec3 before, vec3 push)
{
    vec3 moved = vec3(0.0);
    for (uint axis = 0u; axis < 3u; axis++) {
        vec3 normal = vec3(0.0);
        normal[axis] = 1.0;
        moved += boundary_friction(before + moved, normal, abs(push[axis]), params.friction);
    }
    return moved;
}

// Returns p displaced by `moved` (m), then moved out of the domain's sides to at least the gap. `before` (m):
// displacement of p since the substep's start.
ivec3 boundary_move_within_sides(ivec3 p, vec3 before, vec3 moved)
{
    boundary_sides sides = boundary_side_distances(p);
    float gap = params.boundary_gap, friction = params.friction;
    vec3 low = gap - sides.low, high = gap - sides.high;
    for (uint axis = 0u; axis < 3u; axis++) {
        float push = max(low[axis] - moved[axis], 0.0) - max(high[axis] + moved[axis], 0.0);
        if (push == 0.0) continue;
        vec3 normal = vec3(0.0);
        normal[axis] = 1.0;
        moved += normal * push + boundary_friction(before + moved, normal, abs(push), friction);
    }
    p += fixed_from_offset(moved);
    if (params.planar != 0u) p.z = params.fixed_min.w;
    return p;
}

// Returns p moved out of the domain's sides. `start`: the particle's position at the substep's start; `push`
// (m): the displacement by which the sides' density has carried it to p.
ivec3 boundary_project_sides(ivec3 p, ivec3 start, vec3 push)
{
    vec3 before = fixed_offset(p, start), moved = vec3(0.0);
    if (params.friction > 0.0) moved = boundary_sides_friction(before, push);
    return boundary_move_within_sides(p, before, moved);
}
#endif
