// Computes the mass that receives the friction of a cell: that of the particles at the cell's faces.
// Buffers: cells, face_velocities, face_masses, rigid_coupling, and those of poisson/blocks.glsl.
#ifndef MAC_FRICTION_MASS_GLSL
#define MAC_FRICTION_MASS_GLSL
#include "mac/faces.glsl"
#include "poisson/blocks.glsl"

bool mac_is_fluid(uint i) { return i != POISSON_NONE && uintBitsToFloat(cells[i].w) < 0.0; }
bool mac_is_coupled(uint i) { return HAS_BODIES && i != POISSON_NONE && rigid_coupling[i].w != 0.0; }

// Returns whether the lower face of cell i at `at` takes friction: it is open, or closed by a solid on which
// fluid slips; not if a side of the domain or a body closes it.
bool mac_face_takes_friction(uint i, uint below, ivec3 at, uint axis)
{
    if (!mac_is_fluid(i) && !mac_is_fluid(below)) return false;
    if (mac_face_open_fraction(i, below, 2u * axis) > 0.0) return true;
    bool side = at[axis] == 0 && params.period[axis] == 0.0, sticks = HAS_VISCOSITY && params.no_slip != 0u;
    return HAS_SOLIDS && !side && !sticks && !mac_is_coupled(i) && !mac_is_coupled(below);
}

// Returns the mass of the particles that read the lower face of cell i, over that of a full cell. Next to a
// flat wall they have given less to it: a part of their weight went to faces in the wall, which nobody reads.
// `open` is the open fraction of the cell at the wall.
float mac_received_mass(uint i, uint axis, float open)
{
    uint sides = params.planar != 0u ? 4u : 6u;
    float mass = face_masses[i][axis], lost = open > 0.5 ? 0.5 * (open - 0.5) * (open - 0.5) / open : 0.0;
    for (uint side = 0u; side < sides; side++) {
        uint other = poisson_neighbour_cell(i / POISSON_BLOCK_CELLS, i % POISSON_BLOCK_CELLS, side);
        if (side >> 1 == axis || mac_face_open_fraction(i, other, side) > 0.0) continue;
        bool read = other != POISSON_NONE && (uint(face_velocities[other].w) >> axis & 1u) != 0u;
        if (!read) mass /= 1.0 - lost;
    }
    return mass;
}

// Returns the mass along each axis that a velocity change at the centre of a fluid cell moves, over that of a
// full cell: a face takes the mean of the changes of the fluid cells on its two sides.
vec3 mac_friction_mass(uint block, uint cell, ivec3 at, float open)
{
    vec3 mass = vec3(0.0);
    uint i = block * POISSON_BLOCK_CELLS + cell, sides = params.planar != 0u ? 4u : 6u;
    for (uint side = 0u; side < sides; side++) {
        uint axis = side >> 1, other = poisson_neighbour_cell(block, cell, side);
        bool up = (side & 1u) != 0u;
        ivec3 face_at = at;
        if (up) face_at[axis]++;
        if (up && other == POISSON_NONE) continue; // not stored
        uint upper = up ? other : i, lower = up ? i : other;
        if (!mac_face_takes_friction(upper, lower, face_at, axis)) continue;
        mass[axis] += (mac_is_fluid(other) ? 0.5 : 1.0) * mac_received_mass(upper, axis, open);
    }
    return mass;
}
#endif
