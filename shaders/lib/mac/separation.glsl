// Lets fluid leave walls: a cell at a wall under tension counts as air, until fluid flows back into it. The
// particles carry whether they leave a wall, in the last word of their velocity.
// Buffers: cells, face_masses.
#ifndef MAC_SEPARATION_GLSL
#define MAC_SEPARATION_GLSL

// Returns whether a boundary closes at least half of a side of cell i.
bool mac_is_at_wall(uint i)
{
    uvec3 sides = cells[i].xyz;
    uint axes = params.planar != 0u ? 2u : 3u;
    float least = 1.0;
    for (uint axis = 0u; axis < axes; axis++) {
        vec2 open = unpackUnorm2x16(sides[axis]);
        least = min(least, min(open.x, open.y));
    }
    return least <= 0.5;
}

// Returns whether more than half of the fluid in cell i is leaving a wall.
bool mac_is_separating(uint i)
{
    float mark = VARIABLE_DENSITY ? (face_masses[i].w < 0.0 ? 1.0 : 0.0) : face_masses[i].w;
    return SEPARATING_WALLS && mark > 0.5 && mac_is_at_wall(i);
}
#endif
