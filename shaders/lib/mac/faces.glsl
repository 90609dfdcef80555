// Computes the position and the open fraction of faces of the MAC grid.
// Buffers: params, cells.
#ifndef MAC_FACES_GLSL
#define MAC_FACES_GLSL

// Returns the centre of the lower face of a cell across an axis, m.
vec3 mac_face_centre(ivec3 at, uint axis)
{
    vec3 middle = vec3(at) + 0.5;
    middle[axis] -= 0.5;
    vec3 p = params.domain_min.xyz + middle * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return p;
}

// Returns the open fraction of the face between cell i, of which it is the side `side`, and the cell `other`.
float mac_face_open_fraction(uint i, uint other, uint side)
{
    float open = unpackUnorm2x16(cells[i][side >> 1])[side & 1u];
    bool closed = uintBitsToFloat(cells[i].w) >= POISSON_CLOSED;
    if (other != POISSON_NONE) closed = closed || uintBitsToFloat(cells[other].w) >= POISSON_CLOSED;
    return closed ? 0.0 : open;
}
#endif
