// Computes distances, density and projection for the boundary: the closed sides of the domain, in fixed-point
// positions, and the solids, in metres. HAS_SOLIDS is a constant.
// Buffers: params, status, and those of sdf/items.glsl and sdf/volume.glsl.
#ifndef BOUNDARY_BOUNDARY_GLSL
#define BOUNDARY_BOUNDARY_GLSL
#include "boundary/domain_sides.glsl"
#include "math/rotation.glsl"
#include "particles/removal.glsl"
#include "sdf/node_program.glsl"
#include "sdf/pose_range.glsl"

// Called when a solid moves a particle: shaders/lib/boundary/force_gauge.glsl.
#ifndef ON_SOLID_PUSH
#define ON_SOLID_PUSH(item, at, moved)
#endif

// False if no solid can act; their distances, the most expensive part, are then not computed.
bool boundary_solids_near = true;

// Returns the number of solids to visit. Loop conditions must not read buffers: GPU-assisted validation
// 1.3.239 generates invalid code for them. Loops over solids also test HAS_SOLIDS, or drivers keep their code
// in scenes without solids, which costs a third of the time of lambda.comp.
uint boundary_solid_count() { return HAS_SOLIDS && boundary_solids_near ? params.solid_count : 0u; }

uint boundary_body_count() { return params.sink_first - params.solid_count; }

// Returns the distance, m, beyond which a solid at the substep's start does not act within it: h plus twice
// the distance that the solver can move a particle, because a side may push it back as far.
float boundary_solid_reach() { return 2.0 * params.boundary_reach - params.h; }

// Returns p in the space of an item.
vec3 item_to_local(uint item, vec3 p)
{
    uint now = item_pose_range(item).y;
    return quat_rotate(quat_conjugate(pose_rotation(now)), p - pose_position(now).xyz);
}

// Returns the position at the substep's start of the item's point that is now at `local`, m.
vec3 item_point_at_start(uint item, vec3 local)
{
    uint start = item_pose_range(item).x;
    return quat_rotate(pose_last_rotation(start), local) + pose_last_position(start).xyz;
}

// Returns the time in an item's mesh sequence, s.
float item_time_s(uint item) { return pose_position(item_pose_range(item).y).w; }

// Returns false if p is farther than `reach` from the item's bounding sphere.
bool item_is_near(uint item, vec3 local, float reach)
{
    vec4 bound = item_bound(item);
    return bound.w < 0.0 || distance(local, bound.xyz) < bound.w + reach;
}

// Returns xyz the unit normal in the space of the item, w the distance, m.
vec4 item_distance_gradient(uint item, vec3 local)
{
    uvec2 program = item_node_range(item);
    return solid_distance_gradient(program.x, program.y, item_time_s(item), local);
}

float item_distance(uint item, vec3 p, float reach)
{
    vec3 local = item_to_local(item, p);
    float nearest = 1e30;
    if (item_is_near(item, local, reach)) nearest = item_distance_gradient(item, local).w;
    return nearest;
}

// Returns a lower bound of the distance from p to the nearest solid, m; exact if it is less than `reach`.
float boundary_clearance(vec3 p, float reach)
{
    float nearest = 1e30;
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        vec3 local = item_to_local(item, p);
        vec4 bound = item_bound(item);
        float clearance = bound.w < 0.0 ? -1.0 : distance(local, bound.xyz) - bound.w;
        if (clearance < reach) clearance = item_distance_gradient(item, local).w;
        nearest = min(nearest, clearance);
    }
    return nearest;
}

// Returns whether the boundary is within `reach` of p.
bool boundary_near(ivec3 p, float reach)
{
    if (boundary_near_side(p, reach)) return true;
    float nearest = 1e30;
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++)
        nearest = min(nearest, item_distance(item, fixed_to_metres(p), reach));
    return nearest < reach;
}

// The surface of an item near a point p.
struct item_surface {
    float distance; // m
    vec3 normal;
    vec3 point_at_start;   // m: position at the substep's start of the item's point that is now at p
};

// Returns whether every shape of the scene is a sphere; distances are then computed in world space.
bool all_items_are_spheres()
{
    return (SOLID_MISSING_KINDS | 1u << SOLID_SPHERE) == (1u << SOLID_KINDS) - 1u;
}

// Returns, for an item that is a sphere, xyz the unit normal in world space, w the distance, m.
vec4 item_sphere_distance(uint item, vec3 p)
{
    solid_node node = item_node(item_node_range(item).x);
    uint now = item_pose_range(item).y;
    vec3 centre = quat_rotate(pose_rotation(now), node.position.xyz) + pose_position(now).xyz;
    return solid_sphere(p - centre, node.size.x * node.position.w);
}

// Returns, for any item, xyz the unit normal in world space, w the distance, m.
vec4 item_world_distance(uint item, vec3 p, vec3 local)
{
    if (all_items_are_spheres()) return item_sphere_distance(item, p);
    vec4 surface = item_distance_gradient(item, local);
    return vec4(quat_rotate(pose_rotation(item_pose_range(item).y), surface.xyz), surface.w);
}

// Finds the surface of an item near p. Returns false, with `found` undefined, if it is farther than `reach`.
bool item_find_surface(uint item, vec3 p, float reach, out item_surface found)
{
    vec3 local = item_to_local(item, p);
    bool near = all_items_are_spheres() || item_is_near(item, local, reach);
    found = item_surface(1e30, vec3(0.0), vec3(0.0));
    if (near) {
        vec4 surface = item_world_distance(item, p, local);
        found = item_surface(surface.w, surface.xyz, item_point_at_start(item, local));
    }
    return all_items_are_spheres() ? found.distance < reach : near;
}

void boundary_add_item(inout boundary_sum sum, uint item, vec3 p)
{
    item_surface surface;
    if (params.boundary_density == 0u || !item_find_surface(item, p, params.h, surface)) return;
    boundary_add_plane(sum, surface.distance, surface.normal, p - surface.point_at_start);
    sum.nearest = min(sum.nearest, surface.distance);
}

// Returns the density of the domain's sides and of the first `solids` items at p.
boundary_sum boundary_density(ivec3 p, uint solids)
{
    boundary_sum sum = boundary_sides_density(p);
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++)
        boundary_add_item(sum, item, fixed_to_metres(p));
    return sum;
}

// Returns p moved out of the boundary to at least the gap. `start`: the particle's position at the substep's
// start.
ivec3 boundary_project(ivec3 p, ivec3 start)
{
    vec3 before = fixed_offset(p, start), moved = vec3(0.0); // m
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        item_surface surface;
        vec3 at = fixed_to_metres(p) + moved;
        if (!item_find_surface(item, at, params.boundary_gap, surface)) continue;
        float push = params.boundary_gap - surface.distance;
        if (push <= 0.0) continue;
        vec3 slip = before + moved - (at - surface.point_at_start);
        vec3 out_of =
            surface.normal * push + boundary_friction(slip, surface.normal, push, item_friction(item));
        ON_SOLID_PUSH(item, at, out_of);
        moved += out_of;
    }
    return boundary_move_within_sides(p, before, moved);
}

// Returns whether p is inside a sink, which removes particles. A sink may have the pose of a body.
bool is_in_sink(vec3 p)
{
    bool inside = false;
    uint first = params.sink_first, last = HAS_SOLIDS ? params.item_count : 0u;
    for (uint item = first; HAS_SOLIDS && item < last; item++) {
        uint body = item_flags(item) >> SOLID_ITEM_BODY_SHIFT;
        vec3 local = item_to_local(body > 0u ? params.solid_count + body - 1u : item, p);
        inside = inside || (item_is_near(item, local, 0.0) && item_distance_gradient(item, local).w < 0.0);
    }
    return inside;
}
#endif
