// What walls do to the faces of the MAC grid. Needs `cells`, the functions of poisson.glsl and wall.glsl, and
// the constant STEADY.

// The velocity of the nearest solid at p, m/s; 0 where none is within a cell.
vec3 mac_wall_velocity(vec3 p)
{
    vec3 velocity = vec3(0.0);
    float nearest = params.h;
    uint solids = STEADY ? 0u : wall_solids();
    for (uint item = 0u; item < solids; item++) {
        wall_surface surface;
        if (!wall_find_surface(item, p, nearest, surface) || surface.distance >= nearest) continue;
        nearest = surface.distance;
        velocity = (p - surface.carried) / status.dt;
    }
    return velocity;
}

// The middle of the lower face of a cell across an axis, m.
vec3 mac_face_metres(ivec3 at, uint axis)
{
    vec3 middle = vec3(at) + 0.5;
    middle[axis] -= 0.5;
    vec3 p = params.domain_min.xyz + middle * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return p;
}

// The open share of a face between cell i, whose side it is, and the cell `other`.
float mac_open(uint i, uint other, uint side)
{
    float open = unpackUnorm2x16(cells[i][side >> 1])[side & 1u];
    bool closed = uintBitsToFloat(cells[i].w) >= POISSON_CLOSED;
    if (other != POISSON_NONE) closed = closed || uintBitsToFloat(cells[other].w) >= POISSON_CLOSED;
    return closed ? 0.0 : open;
}
