// Walls: the closed sides of the domain, in fixed-point positions, and the solids, in metres. Needs before
// it: sim.glsl, `status` (sim_status), HAS_SOLIDS, and the buffers items, poses and those of shape.glsl.
#include "kernel.glsl"

// Called when a solid has moved a particle: shaders/lib/measure.glsl.
#ifndef WALL_PUSHED
#define WALL_PUSHED(item, moved)
#endif

// False where no solid can matter: their distances, which cost most, are then not computed.
bool wall_solids_near = true;

// No buffer is read in a loop's condition: GPU-assisted validation 1.3.239 makes invalid code of it. Loops
// over solids ask HAS_SOLIDS, too, or drivers keep their code where there are none: a third of lambda's time.
uint wall_solids() { return HAS_SOLIDS && wall_solids_near ? params.solid_count : 0u; }

uint wall_bodies() { return params.sink_first - params.solid_count; }

// Solids farther than this at the substep's start do not matter in it: h plus twice the distance that the
// solver can move a particle, because a side may push it back as far.
float wall_solid_reach() { return 2.0 * params.wall_reach - params.h; }

struct wall_sum {
    float density;  // share of the rest density
    vec3 gradient;  // 1/m, of the constraint at p_i, towards the walls
    float nearest;  // m: distance of the nearest solid, at most h
    float moved;    // share of the rest density that the walls' own motion in this substep adds
};

wall_sum wall_none() { return wall_sum(0.0, vec3(0.0), -1e30, 0.0); }

// A wall fills the half space behind it, for the density from wall_shift on. Two walls overlap where they
// meet: the free parts multiply (exact for the volume that is left when the kernel separates; close enough
// for a round one).
void wall_add(inout wall_sum sum, float phi, vec3 normal, vec3 motion)
{
    if (phi >= params.h) return;
    bool planar = params.planar != 0u;
    if (planar) normal.z = 0.0;
    float share = kernel_wall_share((phi + params.wall_shift) / params.h, planar);
    vec3 gradient = -normal * kernel_wall_slope(phi / params.h, params.h, planar);
    sum.moved = sum.moved * (1.0 - share) - dot(gradient, motion) * (1.0 - sum.density);
    sum.gradient = sum.gradient * (1.0 - share) + gradient * (1.0 - sum.density);
    sum.density += share - sum.density * share;
}

// Distances of a position from the lower and the upper sides of the domain, m; a large number for sides that
// are not closed.
struct wall_sides {
    vec3 low, high;
};

vec3 wall_closed(uint sides, vec3 distances)
{
    return mix(vec3(1e30), distances, equal(uvec3(sides, sides >> 4u, sides >> 8u) & 3u, uvec3(0u)));
}

wall_sides wall_find_sides(ivec3 p)
{
    uint sides = params.sides;
    return wall_sides(wall_closed(sides, fixed_offset(p, params.fixed_min.xyz)),
                      wall_closed(sides >> 2u, fixed_offset(params.fixed_max.xyz, p)));
}

vec3 wall_side_normal(uint side)
{
    vec3 n = vec3(0.0);
    n[side >> 1] = (side & 1u) == 0u ? 1.0 : -1.0;
    return n;
}

vec3 wall_rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
vec4 wall_conjugate(vec4 q) { return vec4(-q.xyz, q.w); }

// Poses are recorded for params.substeps substeps; a frame with fewer takes every n-th. The last pose is that
// of the frame's end. The poses of an item at the running substep's start and end: as offsets in `poses`.
uvec2 wall_pose_range(uint item)
{
    uint stride = params.substeps / max(status.substeps, 1u);
    uint first = min(row.outer * stride, params.substeps - stride);
    return uvec2(first, first + stride - 1u) * params.item_count + item;
}

// p in the space of an item.
vec3 wall_local(uint item, vec3 p)
{
    uint now = wall_pose_range(item).y;
    return wall_rotate(wall_conjugate(poses[now].rotation), p - poses[now].position.xyz);
}

// Where the item's point that is now at `local` was at the substep's start, m.
vec3 wall_carried(uint item, vec3 local)
{
    uint start = wall_pose_range(item).x;
    return wall_rotate(poses[start].last_rotation, local) + poses[start].last_position.xyz;
}

float wall_item_scale(uint item) { return poses[wall_pose_range(item).y].position.w; }

// False when p is farther than `reach` from the solid's bounding sphere.
bool wall_item_near(uint item, vec3 local, float reach)
{
    vec4 bound = items[item].bound;
    return bound.w < 0.0 || distance(local, bound.xyz) < bound.w + reach;
}

float wall_item_distance(uint item, vec3 p, float reach)
{
    vec3 local = wall_local(item, p);
    if (!wall_item_near(item, local, reach)) return 1e30;
    return solid_distance(items[item].first_node, items[item].node_count, wall_item_scale(item), local);
}

// Is any closed side within `reach` of p?
bool wall_near_side(ivec3 p, float reach)
{
    wall_sides sides = wall_find_sides(p);
    vec3 nearer = min(sides.low, sides.high);
    return min(min(nearer.x, nearer.y), nearer.z) < reach;
}

// A lower bound of the distance from p to the nearest solid, m; exact where it is less than `reach`.
float wall_clearance(vec3 p, float reach)
{
    float nearest = 1e30;
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        vec3 local = wall_local(item, p);
        vec4 bound = items[item].bound;
        float clearance = bound.w < 0.0 ? -1.0 : distance(local, bound.xyz) - bound.w;
        if (clearance < reach)
            clearance = solid_distance(items[item].first_node, items[item].node_count, wall_item_scale(item),
                                       local);
        nearest = min(nearest, clearance);
    }
    return nearest;
}

// Is any wall within `reach` of p?
bool wall_near(ivec3 p, float reach)
{
    if (wall_near_side(p, reach)) return true;
    float nearest = 1e30;
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++)
        nearest = min(nearest, wall_item_distance(item, fixed_metres(p), reach));
    return nearest < reach;
}

// The surface of a solid as p sees it.
struct wall_surface {
    float distance; // m
    vec3 normal;
    vec3 carried;   // m: where the solid's point that is now at p was at the substep's start
};

// False, with `found` meaningless, when the solid is farther than `reach`.
bool wall_find_surface(uint item, vec3 p, float reach, out wall_surface found)
{
    vec3 local = wall_local(item, p);
    found = wall_surface(1e30, vec3(0.0), p);
    if (!wall_item_near(item, local, reach)) return false;
    vec4 surface = solid_distance_gradient(items[item].first_node, items[item].node_count,
                                           wall_item_scale(item), local);
    found.distance = surface.w;
    found.normal = wall_rotate(poses[wall_pose_range(item).y].rotation, surface.xyz);
    found.carried = wall_carried(item, local);
    return true;
}

void wall_add_item(inout wall_sum sum, uint item, vec3 p)
{
    wall_surface surface;
    if (params.wall_density == 0u || !wall_find_surface(item, p, params.h, surface)) return;
    wall_add(sum, surface.distance, surface.normal, p - surface.carried);
    sum.nearest = min(sum.nearest, surface.distance);
}

// Adds the walls that have the gradient xyz and the density w.
void wall_join(inout wall_sum sum, vec4 others)
{
    sum.gradient = sum.gradient * (1.0 - others.w) + others.xyz * (1.0 - sum.density);
    sum.density += others.w - sum.density * others.w;
}

// Of the domain's sides and of the first `solids` items.
wall_sum wall_density(ivec3 p, uint solids)
{
    wall_sum sum = wall_none();
    if (params.wall_density == 0u) return sum;
    wall_sides sides = wall_find_sides(p);
    sum.nearest = params.h;
    for (uint side = 0u; side < 6u; side++)
        wall_add(sum, (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1],
                 wall_side_normal(side), vec3(0.0));
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) wall_add_item(sum, item, fixed_metres(p));
    return sum;
}

// Coulomb: shortens the tangential part of the displacement, which is relative to the wall's own, by at most
// friction times the push.
vec3 wall_friction(vec3 displacement, vec3 normal, float push, float friction)
{
    vec3 tangential = displacement - normal * dot(displacement, normal);
    float size = length(tangential);
    return size > 0.0 ? -tangential * min(1.0, friction * push / size) : vec3(0.0);
}

// p moved out of all walls to at least the gap; `start`: the particle's position at the substep's start.
ivec3 wall_project(ivec3 p, ivec3 start)
{
    vec3 before = fixed_offset(p, start), moved = vec3(0.0); // m
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        wall_surface surface;
        vec3 at = fixed_metres(p) + moved;
        if (!wall_find_surface(item, at, params.wall_gap, surface)) continue;
        float push = params.wall_gap - surface.distance;
        if (push <= 0.0) continue;
        vec3 slip = before + moved - (at - surface.carried);
        vec3 out_of = surface.normal * push + wall_friction(slip, surface.normal, push, items[item].friction);
        WALL_PUSHED(item, out_of);
        moved += out_of;
    }
    wall_sides sides = wall_find_sides(p);
    float gap = params.wall_gap, friction = params.friction;
    vec3 low = gap - sides.low, high = gap - sides.high;
    for (uint axis = 0u; axis < 3u; axis++) {
        float push = max(low[axis] - moved[axis], 0.0) - max(high[axis] + moved[axis], 0.0);
        if (push == 0.0) continue;
        vec3 normal = vec3(0.0);
        normal[axis] = 1.0;
        moved += normal * push + wall_friction(before + moved, normal, abs(push), friction);
    }
    p += fixed_step(moved);
    if (params.planar != 0u) p.z = params.fixed_min.w;
    return p;
}
