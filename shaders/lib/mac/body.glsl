// Couples cells of the MAC grid to bodies.
// Buffers: params, bodies, body_iterated_states, rigid_coupling.
#ifndef MAC_BODY_GLSL
#define MAC_BODY_GLSL
#include "body/velocity.glsl"

// Returns 1 + the body that a cell is coupled to; 0: none.
uint mac_coupled_body(uint i) { return HAS_BODIES && i != POISSON_NONE ? uint(rigid_coupling[i].w) : 0u; }
#endif
