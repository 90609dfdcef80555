// Averages velocity and pressure of the fluid at the centre of a cell of the MAC grid, after the
// projection.
// Buffers: params, status, multigrid, blocks, cells, faces, face_changes, viscous_velocities.
#ifndef MAC_CELL_STATE_GLSL
#define MAC_CELL_STATE_GLSL
#include "mac/faces.glsl"
#include "particles/external_forces.glsl"
#include "poisson/blocks.glsl"

struct mac_middle {
    vec3 velocity;  // m/s
    float pressure; // p dt / rho, m2/s
    vec3 rise;      // its gradient, m/s
};

// What the pressure has taken from the lower face of a cell, which is how the pressure rises there, m/s.
float mac_rise(uint i, ivec3 at, uint axis)
{
    float added = status.dt * predict_acceleration(mac_face_metres(at, axis))[axis];
    if (VISCOUS) added += viscous_velocities[i][axis];
    return added - face_changes[i][axis];
}

// Both faces of the cell across each axis count; past the domain's upper end there is no face.
mac_middle mac_find_middle(uint block, uint cell, ivec3 at)
{
    uint i = block * POISSON_CELLS + cell;
    mac_middle middle = mac_middle(faces[i].xyz, face_changes[i].w, vec3(0.0));
    uint axes = params.planar != 0u ? 2u : 3u;
    for (uint axis = 0u; axis < axes; axis++) {
        uint other = poisson_beside(block, cell, 2u * axis + 1u);
        ivec3 next = at;
        next[axis]++;
        middle.rise[axis] = mac_rise(i, at, axis);
        middle.velocity[axis] *= 0.5;
        if (other == POISSON_NONE) continue;
        middle.rise[axis] = 0.5 * (middle.rise[axis] + mac_rise(other, next, axis));
        middle.velocity[axis] += 0.5 * faces[other][axis];
    }
    if (params.planar != 0u) middle.velocity.z = 0.0;
    return middle;
}
#endif
