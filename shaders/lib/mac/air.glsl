// Extrapolates velocities to faces of the MAC grid that no fluid touches, for the particles near them.
// Buffers: cells, face_velocities, face_velocity_changes, pressure_gradients, face_masses, rigid_coupling,
// blocks, multigrid.
#ifndef MAC_AIR_GLSL
#define MAC_AIR_GLSL
#include "mac/closed_faces.glsl"
#include "poisson/blocks.glsl"

// Returns whether cell i lies inside a boundary, but not inside a body.
bool mac_is_solid_cell(uint i)
{
    if (i == POISSON_NONE || uintBitsToFloat(cells[i].w) < POISSON_CLOSED) return false;
    return !HAS_BODIES || rigid_coupling[i].w == 0.0;
}

// Returns whether particles may use the lower face of a cell: not inside a boundary.
bool mac_face_is_usable(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    if (face_masses[i][axis] <= 0.0) return false;
    return !mac_is_solid_cell(i) && !mac_is_solid_cell(poisson_neighbour_cell(block, cell, 2u * axis));
}

// Returns by how much cohesion changes the velocity of a face in the air, m/s, that moves at `relative` to
// the fluid next to it.
float mac_cohesion_change(uint i, uint axis, float relative)
{
    float size = params.cell_size[axis];
    float most = SIM_COHESION * status.dt * params.max_tension / (params.fluids[0].density * size * size);
    if (VARIABLE_DENSITY) most *= face_coefficients[i][axis];
    return clamp(-relative, -most, most);
}

// Returns, for a face away from fluid: x the change of its velocity in the substep, the mean of its
// neighbours next to fluid, or `alone` if there are none; y the same mean of the pressure gradients, or 0.
// With `closed`, for a face that a boundary closes: the mean of its open neighbours.
vec2 mac_extrapolate_change(uint block, uint cell, uint axis, bool closed, float alone)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, sides = params.planar != 0u ? 4u : 6u;
    vec4 sum = vec4(0.0);
    for (uint side = 0u; side < sides; side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        if (other != POISSON_NONE && mac_face_is_known(other, axis) &&
            !(closed && !mac_face_is_open(other, axis)))
            sum += vec4(face_velocity_changes[other][axis], pressure_gradients[other][axis],
                        face_velocities[other][axis], 1.0);
    }
    if (sum.w == 0.0) return vec2(alone, 0.0);
    sum /= sum.w;
    if (SURFACE_TENSION && !closed)
        sum.x += mac_cohesion_change(i, axis, face_velocities[i][axis] + sum.x - sum.z);
    return sum.xy;
}
#endif
