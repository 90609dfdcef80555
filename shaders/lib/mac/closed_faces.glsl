// What faces of the MAC grid that a boundary closes take over from the open faces around them.
// Buffers: cells, face_velocities, face_velocity_changes, blocks, multigrid.
#ifndef MAC_CLOSED_FACES_GLSL
#define MAC_CLOSED_FACES_GLSL
#include "mac/faces.glsl"
#include "poisson/blocks.glsl"

bool mac_face_is_known(uint i, uint axis) { return (uint(face_velocities[i].w) >> axis & 1u) != 0u; }

// Returns whether the lower face of a cell is next to fluid and open.
bool mac_face_is_open(uint i, uint axis)
{
    if (i == POISSON_NONE || !mac_face_is_known(i, axis)) return false;
    uint block = i / POISSON_BLOCK_CELLS, cell = i % POISSON_BLOCK_CELLS;
    return mac_face_open_fraction(i, poisson_neighbour_cell(block, cell, 2u * axis), 2u * axis) > 0.0;
}

// Returns the mean change of the open faces of the same axis around a closed face, m/s, which is that of the
// fluid that flows along the boundary; `forces` if there are none.
float mac_open_change_around(uint i, uint axis, float forces)
{
    uint block = i / POISSON_BLOCK_CELLS, cell = i % POISSON_BLOCK_CELLS;
    uint sides = params.planar != 0u ? 4u : 6u;
    vec2 sum = vec2(0.0);
    for (uint side = 0u; side < sides; side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        if (mac_face_is_open(other, axis)) sum += vec2(face_velocity_changes[other][axis], 1.0);
    }
    return sum.y > 0.0 ? sum.x / sum.y : forces;
}
#endif
