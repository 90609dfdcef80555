// Moves a FLIP or APIC particle out of the boundary and corrects its velocity.
// Buffers: those of boundary/boundary.glsl.
#ifndef MAC_COLLIDE_GLSL
#define MAC_COLLIDE_GLSL
#include "boundary/boundary.glsl"

// Removes the component of a velocity that points into a boundary, relative to the boundary's velocity
// `wall`, and reduces the tangential component by Coulomb friction.
vec3 mac_collision_velocity(vec3 velocity, vec3 wall, vec3 normal, float friction)
{
    vec3 relative = velocity - wall;
    float into = dot(relative, normal);
    if (into < 0.0) {
        vec3 along = relative - normal * into;
        float size = length(along), kept = size > 0.0 ? max(1.0 + friction * into / size, 0.0) : 0.0;
        velocity = wall + along * kept;
    }
    return velocity;
}

// Moves p out of all boundaries, to at least boundary_gap from them.
void mac_project_particle(inout ivec3 p, inout vec3 velocity)
{
    vec3 moved = vec3(0.0);
    float gap = params.boundary_gap;
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        item_surface surface;
        vec3 at = fixed_to_metres(p) + moved;
        if (!item_find_surface(item, at, gap, surface) || surface.distance >= gap) continue;
        moved += surface.normal * (gap - surface.distance);
        vec3 wall = (at - surface.point_at_start) / status.dt;
        velocity = mac_collision_velocity(velocity, wall, surface.normal, items[item].friction);
    }
    boundary_sides sides = boundary_side_distances(p);
    vec3 low = gap - sides.low, high = gap - sides.high;
    for (uint axis = 0u; axis < 3u; axis++) {
        float push = max(low[axis] - moved[axis], 0.0) - max(high[axis] + moved[axis], 0.0);
        if (push == 0.0) continue;
        vec3 normal = vec3(0.0);
        normal[axis] = sign(push);
        moved[axis] += push;
        velocity = mac_collision_velocity(velocity, vec3(0.0), normal, params.friction);
    }
    p += fixed_from_offset(moved);
    if (params.planar != 0u) p.z = params.fixed_min.w;
}
#endif
