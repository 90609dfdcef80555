// Computes positions of cells and faces of the MAC grid.
// Buffers: params.
#ifndef MAC_POSITION_GLSL
#define MAC_POSITION_GLSL

// Returns the centre of a cell, m.
vec3 mac_cell_centre(ivec3 at)
{
    vec3 p = params.domain_min.xyz + (vec3(at) + 0.5) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return p;
}

// Returns the centre of the lower face of a cell across an axis, m.
vec3 mac_face_centre(ivec3 at, uint axis)
{
    vec3 middle = vec3(at) + 0.5;
    middle[axis] -= 0.5;
    vec3 p = params.domain_min.xyz + middle * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return p;
}
#endif
