// Computes the velocity of the boundary at faces of the MAC grid. STATIC_SOLIDS, a constant, means that no
// solid moves.
// Buffers: cells, and those of boundary/boundary.glsl and poisson/blocks.glsl.
#ifndef MAC_BOUNDARY_GLSL
#define MAC_BOUNDARY_GLSL
#include "boundary/boundary.glsl"
#include "mac/faces.glsl"
#include "poisson/blocks.glsl"

struct mac_nearest {
    uint item;
    float distance; // m
    vec3 point_at_start;   // m: as in item_surface
};

// Returns the solid nearest to p; if none is nearer than `reach`, item 0 at that distance, at rest.
mac_nearest mac_nearest_solid(vec3 p, float reach)
{
    mac_nearest best = mac_nearest(0u, reach, p);
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        item_surface surface;
        bool seen = item_find_surface(item, p, best.distance, surface);
        if (!seen || surface.distance >= best.distance) continue;
        best.distance = surface.distance;
        best.item = item;
    }
    // after the loop, whose distances need the registers
    if (HAS_SOLIDS && best.distance < reach)
        best.point_at_start = item_point_at_start(best.item, item_to_local(best.item, p));
    return best;
}

// Returns the velocity of the nearest solid at p, m/s; 0 if none is within the support radius.
vec3 mac_solid_velocity(vec3 p)
{
    if (STATIC_SOLIDS) return vec3(0.0);
    return (p - mac_nearest_solid(p, params.h).point_at_start) / status.dt;
}
#endif
