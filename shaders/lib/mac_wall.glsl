// What walls do to the faces of the MAC grid. Needs `cells`, the functions of poisson.glsl and wall.glsl, and
// the constant STEADY.
#include "mac_faces.glsl"

// The solid that is nearest to p; its distance is `reach` where none is nearer.
wall_surface mac_nearest_solid(vec3 p, float reach, out uint nearest)
{
    wall_surface best = wall_surface(reach, vec3(0.0), p);
    uint solids = wall_solids();
    nearest = 0u;
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++) {
        wall_surface surface;
        bool seen = wall_find_surface(item, p, best.distance, surface);
        if (!seen || surface.distance >= best.distance) continue;
        best = surface;
        nearest = item;
    }
    return best;
}

// The velocity of the nearest solid at p, m/s; 0 where none is within a cell.
vec3 mac_wall_velocity(vec3 p)
{
    uint item;
    if (STEADY) return vec3(0.0);
    return (p - mac_nearest_solid(p, params.h, item).carried) / status.dt;
}
