// Computes distance, density and projection of the boundary: the closed sides of the domain, in fixed-
// point positions, and the solids, in metres. HAS_SOLIDS is a constant.
// Buffers: params, status, and those of sdf/items.glsl and sdf/volume.glsl.
#ifndef BOUNDARY_BOUNDARY_GLSL
#define BOUNDARY_BOUNDARY_GLSL
#include "boundary/domain_sides.glsl"
#include "math/rotation.glsl"
#include "particles/removal.glsl"
#include "sdf/node_program.glsl"

// Called when a solid has moved a particle: shaders/lib/boundary/force_gauge.glsl.
#ifndef ON_SOLID_PUSH
#define ON_SOLID_PUSH(item, at, moved)
#endif

// False where no solid can matter: their distances, which cost most, are then not computed.
bool boundary_solids_near = true;

// No buffer is read in a loop's condition: GPU-assisted validation 1.3.239 makes invalid code of it. Loops
// over solids ask HAS_SOLIDS, too, or drivers keep their code where there are none: a third of lambda's time.
uint boundary_solid_count() { return HAS_SOLIDS && boundary_solids_near ? params.solid_count : 0u; }

uint boundary_body_count() { return params.sink_first - params.solid_count; }

// Solids farther than this at the substep's start do not matter in it: h plus twice the distance that the
// solver can move a particle, because a side may push it back as far.
float boundary_solid_reach() { return 2.0 * params.boundary_reach - params.h; }

// Poses are recorded for params.substeps substeps; a frame with fewer takes every n-th. The last pose is that
// of the frame's end. The poses of an item at the running substep's start and end: as offsets in `poses`.
uvec2 item_pose_range(uint item)
{
    uint stride = params.substeps / max(status.substeps, 1u);
    uint first = min(pass.outer * stride, params.substeps - stride);
    return uvec2(first, first + stride - 1u) * params.item_count + item;
}

// p in the space of an item.
vec3 item_to_local(uint item, vec3 p)
{
    uint now = item_pose_range(item).y;
    return quat_rotate(quat_conjugate(pose_rotation(now)), p - pose_position(now).xyz);
}

// Where the item's point that is now at `local` was at the substep's start, m.
vec3 item_point_at_start(uint item, vec3 local)
{
    uint start = item_pose_range(item).x;
    return quat_rotate(pose_last_rotation(start), local) + pose_last_position(start).xyz;
}

// s: a sequence of meshes has one for each moment.
float item_time_s(uint item) { return pose_position(item_pose_range(item).y).w; }

// False when p is farther than `reach` from the solid's bounding sphere.
bool item_is_near(uint item, vec3 local, float reach)
{
    vec4 bound = item_bound(item);
    return bound.w < 0.0 || distance(local, bound.xyz) < bound.w + reach;
}

// xyz unit normal in the space of the item, w distance, m.
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

// A lower bound of the distance from p to the nearest solid, m; exact where it is less than `reach`.
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

// Is any wall within `reach` of p?
bool boundary_near(ivec3 p, float reach)
{
    if (boundary_near_side(p, reach)) return true;
    float nearest = 1e30;
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++)
        nearest = min(nearest, item_distance(item, fixed_to_metres(p), reach));
    return nearest < reach;
}

// The surface of a solid as p sees it.
struct item_surface {
    float distance; // m
    vec3 normal;
    vec3 point_at_start;   // m: where the solid's point that is now at p was at the substep's start
};

// Is every shape of the scene a ball? Then distances are computed in the world's space.
bool all_items_are_spheres() { return (SOLID_MISSING_KINDS | 1u << SOLID_SPHERE) == (1u << SOLID_KINDS) - 1u; }

// Of an item that is a ball: xyz unit normal in the world, w distance, m.
vec4 item_sphere_distance(uint item, vec3 p)
{
    solid_node node = item_node(item_node_range(item).x);
    uint now = item_pose_range(item).y;
    vec3 centre = quat_rotate(pose_rotation(now), node.position.xyz) + pose_position(now).xyz;
    return solid_sphere(p - centre, node.size.x * node.position.w);
}

// The same of any item.
vec4 item_world_distance(uint item, vec3 p, vec3 local)
{
    if (all_items_are_spheres()) return item_sphere_distance(item, p);
    vec4 surface = item_distance_gradient(item, local);
    return vec4(quat_rotate(pose_rotation(item_pose_range(item).y), surface.xyz), surface.w);
}

// False, with `found` meaningless, when the solid is farther than `reach`.
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

// Of the domain's sides and of the first `solids` items.
boundary_sum boundary_density(ivec3 p, uint solids)
{
    boundary_sum sum = boundary_sides_density(p);
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) boundary_add_item(sum, item, fixed_to_metres(p));
    return sum;
}

// p moved out of all walls to at least the gap; `start`: the particle's position at the substep's start.
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
        vec3 out_of = surface.normal * push + boundary_friction(slip, surface.normal, push, item_friction(item));
        ON_SOLID_PUSH(item, at, out_of);
        moved += out_of;
    }
    return boundary_move_within_sides(p, before, moved);
}

// Is p inside of a sink, which removes particles?
bool is_in_sink(vec3 p)
{
    bool inside = false;
    uint first = params.sink_first, last = HAS_SOLIDS ? params.item_count : 0u;
    for (uint item = first; HAS_SOLIDS && item < last; item++)
        inside = inside || item_distance(item, p, 0.0) < 0.0;
    return inside;
}
#endif
