// Closed sides and solids as whitewater meets them. Needs foam.glsl, `params`, `items`, `poses`,
// `solid_nodes` and `solid_volumes`.
#include "shape.glsl"

struct foam_surface {
    float distance; // m, negative inside
    vec3 normal;
    vec3 velocity;  // m/s, of the solid at the point
    float friction;
};

foam_surface foam_side(vec3 p, uint side)
{
    uint axis = side >> 1;
    bool above = (side & 1u) != 0u;
    vec3 normal = vec3(0.0);
    normal[axis] = above ? -1.0 : 1.0;
    float distance = above ? params.domain_max[axis] - p[axis] : p[axis] - params.domain_min[axis];
    return foam_surface(distance, normal, vec3(0.0), params.friction);
}

// False where the solid is farther than `reach`.
bool foam_solid(vec3 p, uint item, float reach, out foam_surface found)
{
    solid_pose pose = poses[item];
    vec4 back = vec4(-pose.rotation.xyz, pose.rotation.w);
    vec3 local = solid_rotate(back, p - pose.position.xyz);
    vec4 bound = items[item].bound;
    found = foam_surface(1e30, vec3(0.0), vec3(0.0), 0.0);
    if (bound.w >= 0.0 && distance(local, bound.xyz) >= bound.w + reach) return false;
    vec4 surface = solid_distance_gradient(items[item].first_node, items[item].node_count, pose.position.w,
                                           local);
    vec3 before = solid_rotate(pose.last_rotation, local) + pose.last_position.xyz;
    found = foam_surface(surface.w, solid_rotate(pose.rotation, surface.xyz), (p - before) / params.dt,
                         items[item].friction);
    return surface.w < reach;
}

// What walls add where they stand in for fluid.
struct foam_walls {
    float share;   // of a full neighbourhood
    vec3 normal;   // of the sum of unit offsets from neighbours, likewise
    vec3 gradient; // of the share, 1/m
};

// The half space behind a wall at the distance s h, under the weight 1 - r/h: its share of the weight, the
// sum of unit offsets, and the slope of the share. Walls that meet are added up to a full neighbourhood.
void foam_add_wall(inout foam_walls walls, foam_surface wall)
{
    float s = clamp(wall.distance * params.inverse_h, 0.0, 1.0), s2 = s * s, s3 = s2 * s;
    if (s >= 1.0) return;
    float share = min(0.5 - s + s3 - 0.5 * s2 * s2, 1.0 - walls.share);
    walls.share += share;
    walls.normal += wall.normal * (0.25 - 1.5 * s2 + 2.0 * s3 - 0.75 * s2 * s2);
    walls.gradient -= wall.normal * ((1.0 - 3.0 * s2 + 2.0 * s3) * params.inverse_h);
}

foam_walls foam_find_walls(vec3 p)
{
    foam_walls walls = foam_walls(0.0, vec3(0.0), vec3(0.0));
    for (uint side = 0u; side < 6u; side++)
        if ((params.closed >> side & 1u) != 0u) foam_add_wall(walls, foam_side(p, side));
    uint solids = params.solid_count;
    for (uint item = 0u; item < solids; item++) {
        foam_surface surface;
        if (foam_solid(p, item, params.h, surface)) foam_add_wall(walls, surface);
    }
    return walls;
}

// Takes the particle to the wall's surface, and its velocity out of the wall.
void foam_meet(inout vec3 p, inout vec3 v, foam_surface wall, float radius)
{
    if (wall.distance >= radius) return;
    p += wall.normal * (radius - wall.distance);
    vec3 w = v - wall.velocity;
    float inward = dot(w, wall.normal);
    if (inward >= 0.0) return;
    v = wall.velocity + (w - inward * wall.normal) * (1.0 - wall.friction);
}

void foam_collide(inout vec3 p, inout vec3 v, float radius)
{
    uint solids = params.solid_count;
    for (uint item = 0u; item < solids; item++) {
        foam_surface surface;
        if (foam_solid(p, item, radius, surface)) foam_meet(p, v, surface, radius);
    }
    for (uint side = 0u; side < 6u; side++)
        if ((params.closed >> side & 1u) != 0u) foam_meet(p, v, foam_side(p, side), radius);
}
