// Extrapolates to faces of the MAC grid that no fluid touches, for the particles near them.
// Buffers: cells, faces, face_velocity_changes, slopes, face_masses, ties, blocks, multigrid.
#ifndef MAC_AIR_GLSL
#define MAC_AIR_GLSL
#include "mac/faces.glsl"
#include "poisson/blocks.glsl"

bool mac_face_is_known(uint i, uint axis) { return (uint(face_velocities[i].w) >> axis & 1u) != 0u; }

// Is it the cell of a wall, and not of a body?
bool mac_is_solid_cell(uint i)
{
    if (i == POISSON_NONE || uintBitsToFloat(cells[i].w) < POISSON_CLOSED) return false;
    return !HAS_BODIES || rigid_coupling[i].w == 0.0;
}

// Does such a face serve the particles? Those inside a wall do not.
bool mac_face_is_usable(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    if (face_masses[i][axis] <= 0.0) return false;
    return !mac_is_solid_cell(i) && !mac_is_solid_cell(poisson_neighbour_cell(block, cell, 2u * axis));
}

// x: what the substep changes of it, which is the mean of its neighbours that are beside fluid, and without
// any what forces do; y: likewise of the slopes.
vec2 mac_extrapolate_change(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, sides = params.planar != 0u ? 4u : 6u;
    vec3 sum = vec3(0.0);
    for (uint side = 0u; side < sides; side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        if (other != POISSON_NONE && mac_face_is_known(other, axis))
            sum += vec3(face_velocity_changes[other][axis], pressure_gradients[other][axis], 1.0);
    }
    return sum.z > 0.0 ? sum.xy / sum.z : vec2(face_velocity_changes[i][axis], 0.0);
}
#endif
