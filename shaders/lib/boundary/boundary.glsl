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
#ifndef WALL_PUSHED
#define WALL_PUSHED(item, at, moved)
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
    return wall_rotate(wall_conjugate(pose_rotation(now)), p - pose_position(now).xyz);
}

// Where the item's point that is now at `local` was at the substep's start, m.
vec3 wall_carried(uint item, vec3 local)
{
    uint start = wall_pose_range(item).x;
    return wall_rotate(pose_last_rotation(start), local) + pose_last_position(start).xyz;
}

// s: a sequence of meshes has one for each moment.
float wall_item_time_s(uint item) { return pose_position(wall_pose_range(item).y).w; }

// False when p is farther than `reach` from the solid's bounding sphere.
bool wall_item_near(uint item, vec3 local, float reach)
{
    vec4 bound = item_bound(item);
    return bound.w < 0.0 || distance(local, bound.xyz) < bound.w + reach;
}

// xyz unit normal in the space of the item, w distance, m.
vec4 wall_distance(uint item, vec3 local)
{
    uvec2 program = item_program(item);
    return solid_distance_gradient(program.x, program.y, wall_item_time_s(item), local);
}

float wall_item_distance(uint item, vec3 p, float reach)
{
    vec3 local = wall_local(item, p);
    float nearest = 1e30;
    if (wall_item_near(item, local, reach)) nearest = wall_distance(item, local).w;
    return nearest;
}

// A lower bound of the distance from p to the nearest solid, m; exact where it is less than `reach`.
float wall_clearance(vec3 p, float reach)
{
    float nearest = 1e30;
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        vec3 local = wall_local(item, p);
        vec4 bound = item_bound(item);
        float clearance = bound.w < 0.0 ? -1.0 : distance(local, bound.xyz) - bound.w;
        if (clearance < reach) clearance = wall_distance(item, local).w;
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

// Is every shape of the scene a ball? Then distances are computed in the world's space.
bool wall_only_balls() { return (SOLID_LACKS | 1u << SOLID_SPHERE) == (1u << SOLID_KINDS) - 1u; }

// Of an item that is a ball: xyz unit normal in the world, w distance, m.
vec4 wall_ball(uint item, vec3 p)
{
    solid_node node = item_node(item_program(item).x);
    uint now = wall_pose_range(item).y;
    vec3 centre = wall_rotate(pose_rotation(now), node.position.xyz) + pose_position(now).xyz;
    return solid_sphere(p - centre, node.size.x * node.position.w);
}

// The same of any item.
vec4 wall_distance_in_world(uint item, vec3 p, vec3 local)
{
    if (wall_only_balls()) return wall_ball(item, p);
    vec4 surface = wall_distance(item, local);
    return vec4(wall_rotate(pose_rotation(wall_pose_range(item).y), surface.xyz), surface.w);
}

// False, with `found` meaningless, when the solid is farther than `reach`.
bool wall_find_surface(uint item, vec3 p, float reach, out wall_surface found)
{
    vec3 local = wall_local(item, p);
    bool near = wall_only_balls() || wall_item_near(item, local, reach);
    found = wall_surface(1e30, vec3(0.0), vec3(0.0));
    if (near) {
        vec4 surface = wall_distance_in_world(item, p, local);
        found = wall_surface(surface.w, surface.xyz, wall_carried(item, local));
    }
    return wall_only_balls() ? found.distance < reach : near;
}

void wall_add_item(inout wall_sum sum, uint item, vec3 p)
{
    wall_surface surface;
    if (params.wall_density == 0u || !wall_find_surface(item, p, params.h, surface)) return;
    wall_add(sum, surface.distance, surface.normal, p - surface.carried);
    sum.nearest = min(sum.nearest, surface.distance);
}

// Of the domain's sides and of the first `solids` items.
wall_sum wall_density(ivec3 p, uint solids)
{
    wall_sum sum = wall_density_sides(p);
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) wall_add_item(sum, item, fixed_metres(p));
    return sum;
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
        vec3 out_of = surface.normal * push + wall_friction(slip, surface.normal, push, item_friction(item));
        WALL_PUSHED(item, at, out_of);
        moved += out_of;
    }
    return wall_project_sides(p, before, moved);
}

// Is p inside of a sink, which removes particles?
bool gone_down_sink(vec3 p)
{
    bool inside = false;
    uint first = params.sink_first, last = HAS_SOLIDS ? params.item_count : 0u;
    for (uint item = first; HAS_SOLIDS && item < last; item++)
        inside = inside || wall_item_distance(item, p, 0.0) < 0.0;
    return inside;
}
#endif
