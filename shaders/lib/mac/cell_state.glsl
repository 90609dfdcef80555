// Interpolates the velocity and the pressure of the fluid at the centre of a cell of the MAC grid, after the
// projection.
// Buffers: params, status, multigrid, blocks, cells, face_velocities, face_velocity_changes,
// viscous_velocities, face_masses.
#ifndef MAC_CELL_STATE_GLSL
#define MAC_CELL_STATE_GLSL
#include "mac/faces.glsl"
#include "particles/external_forces.glsl"
#include "poisson/blocks.glsl"

struct mac_cell_state {
    vec3 velocity;  // m/s
    float pressure; // p dt / rho with the first fluid's density, m2/s
    vec3 pressure_gradient;      // gradient of `pressure`, m/s
};

// Returns the velocity that the lower face of a cell loses to the pressure, m/s.
float mac_face_pressure_loss(uint i, ivec3 at, uint axis)
{
    float added = status.dt * acceleration_at(mac_face_centre(at, axis))[axis];
    if (HAS_VISCOSITY) added += viscous_velocities[i][axis];
    return added - face_velocity_changes[i][axis];
}

// Averages the lower and the upper face across each axis; at the domain's upper end there is no upper face.
mac_cell_state mac_find_cell_state(uint block, uint cell, ivec3 at)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    mac_cell_state middle = mac_cell_state(face_velocities[i].xyz, face_velocity_changes[i].w, vec3(0.0));
    uint axes = params.planar != 0u ? 2u : 3u;
    for (uint axis = 0u; axis < axes; axis++) {
        uint other = poisson_neighbour_cell(block, cell, 2u * axis + 1u);
        ivec3 next = at;
        next[axis]++;
        middle.pressure_gradient[axis] = mac_face_pressure_loss(i, at, axis);
        middle.velocity[axis] *= 0.5;
        if (other == POISSON_NONE) continue;
        middle.pressure_gradient[axis] =
            0.5 * (middle.pressure_gradient[axis] + mac_face_pressure_loss(other, next, axis));
        middle.velocity[axis] += 0.5 * face_velocities[other][axis];
    }
    // the loss is the gradient over the density
    if (VARIABLE_DENSITY) middle.pressure_gradient /= abs(face_masses[i].w);
    if (params.planar != 0u) middle.velocity.z = 0.0;
    return middle;
}
#endif
