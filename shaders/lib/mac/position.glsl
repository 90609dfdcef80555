// Computes positions of cells of the MAC grid.
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
#endif
