// Couples cells of the MAC grid to bodies.
// Buffers: params, bodies, body_iterated_states, rigid_coupling.
#ifndef MAC_BODY_GLSL
#define MAC_BODY_GLSL
#include "body/velocity.glsl"

// Returns 1 + the body that a cell is coupled to; 0: none.
uint mac_coupled_body(uint i) { return HAS_BODIES && i != POISSON_NONE ? uint(rigid_coupling[i].w) : 0u; }

// Returns the centre of a cell, m.
vec3 mac_cell_centre(ivec3 at)
{
    vec3 p = params.domain_min.xyz + (vec3(at) + 0.5) * params.cell_size.xyz;
    if (params.planar != 0u) p.z = params.plane;
    return p;
}
#endif
