// Computes the open fraction of faces of the MAC grid.
// Buffers: params, cells.
#ifndef MAC_FACES_GLSL
#define MAC_FACES_GLSL
#include "mac/position.glsl"

// Returns the open fraction of the face between cell i, of which it is the side `side`, and the cell `other`.
float mac_face_open_fraction(uint i, uint other, uint side)
{
    float open = unpackUnorm2x16(cells[i][side >> 1])[side & 1u];
    bool closed = uintBitsToFloat(cells[i].w) >= POISSON_CLOSED;
    if (other != POISSON_NONE) closed = closed || uintBitsToFloat(cells[other].w) >= POISSON_CLOSED;
    return closed ? 0.0 : open;
}
#endif
