// Subtracts the pressure gradient from the face velocities; one workgroup per block. Afterwards only faces
// next to fluid are known; a closed face is at rest until flip_closed_face_velocity.comp, which runs if there
// are solids or bodies. Keeps the change of each face's velocity during the substep for FLIP, and the
// pressure for pictures. An unknown face keeps its velocity from before the substep, and the change due to
// forces.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(pressure_gradients);
READ_ANY(cell_pressures);
UPDATE_ANY(face_velocities);
WRITE_ANY(face_velocity_changes);
READ_ANY(viscous_velocities);
READ_ANY(viscous_cells);
READ_ANY(surface_stresses);
#include "poisson/level.glsl"
#include "mac/faces.glsl"
#include "mac/surface_stress.glsl"
#include "particles/external_forces.glsl"

// Returns the pressure of the fluid. The viscous solve worked on velocities that still had a divergence. The
// force of the stress due to that divergence, 2 nu dt grad(div u), acts as a pressure, so the fluid's
// pressure is p - 2 nu dt div grad p.
float corrected_pressure(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, axes = params.planar != 0u ? 2u : 3u;
    if (!HAS_VISCOSITY || uintBitsToFloat(cells[i].w) >= 0.0) return cell_pressures[i];
    float bend = 0.0;
    for (uint axis = 0u; axis < axes; axis++) {
        uint above = poisson_neighbour_cell(block, cell, 2u * axis + 1u);
        float upper = above == POISSON_NONE ? 0.0 : pressure_gradients[above][axis];
        bend += (upper - pressure_gradients[i][axis]) / params.cell_size[axis];
    }
    float nu = uintBitsToFloat(viscous_cells[i] & ~SIM_VISCOUS_FLAGS_MASK);
    return cell_pressures[i] + 2.0 * nu * status.dt * bend;
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        vec4 velocity = face_velocities[i], slope = pressure_gradients[i];
        vec3 change = vec3(0.0);
        uint known = uint(slope.w);
        for (uint axis = 0u; axis < 3u; axis++) {
            vec3 middle = mac_face_centre(at, axis);
            float added = status.dt * acceleration_at(middle)[axis] + mac_surface_stress_change(i, axis);
            if (HAS_VISCOSITY) added += viscous_velocities[i][axis];
            float before = velocity[axis] - added;
            if ((known >> axis & 1u) == 0u) {
                velocity[axis] = before;
                change[axis] = added;
                continue;
            }
            bool open =
                mac_face_open_fraction(i, poisson_neighbour_cell(block, cell, 2u * axis), 2u * axis) > 0.0;
            velocity[axis] = open ? velocity[axis] + slope[axis] : 0.0;
            change[axis] = open ? added + slope[axis] : velocity[axis] - before;
        }
        face_velocities[i] = vec4(velocity.xyz, slope.w);
        face_velocity_changes[i] = vec4(change, corrected_pressure(block, cell));
    }
}
