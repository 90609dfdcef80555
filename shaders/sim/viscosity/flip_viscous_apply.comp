// Adds the velocity changes of the viscous solve to the faces; flip_subtract_gradient.comp counts them among
// the changes of the substep. One workgroup per block. The forces of the matrix sum to zero, so the
// unconverged residual is momentum that the fluid has lost: each block gets the mean residual of its faces
// back.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
UPDATE_ANY(viscous_velocities);
UPDATE_ANY(face_velocities);
READ_ANY(cells);
READ_ANY(viscous_cells);
READ_ANY(face_coefficients);
READ_ANY(viscous_residuals);
READ_SOLIDS();
#include "poisson/level.glsl"
#include "mac/boundary.glsl"
#define SUM_TYPE vec4
#define SUM_LANES POISSON_WORKGROUP
#define SUM_REPEATS
#include "reduce/workgroup_sum.glsl"

// Returns the change of each face. A face that a wall holds but does not cover gets the wall's velocity here,
// because the solve leaves it unchanged.
vec3 face_change(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
    vec3 change = viscous_velocities[i].xyz;
    for (uint axis = 0u; axis < 3u; axis++) {
        if ((viscous_cells[i] & SIM_VISCOUS_FIXED_X << axis) == 0u) continue;
        if (mac_face_open_fraction(i, poisson_neighbour_cell(block, cell, 2u * axis), 2u * axis) <= 0.0)
            continue;
        change[axis] = mac_solid_velocity(mac_face_centre(at, axis))[axis] - face_velocities[i][axis];
    }
    return change;
}

// Returns the mass of the lower face of a cell in the viscous solve, over that of a full cell.
float solved_mass(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_BLOCK_CELLS + cell, below = poisson_neighbour_cell(block, cell, 2u * axis);
    bool solved = viscous_residuals[i].w > 0.0 && (viscous_cells[i] & SIM_VISCOUS_FIXED_X << axis) == 0u;
    uint fluids = (viscous_cells[i] & SIM_VISCOUS_FLUID) +
                  (below != POISSON_NONE ? viscous_cells[below] & SIM_VISCOUS_FLUID : 0u);
    float mass = solved ? 0.5 * float(fluids) : 0.0;
    return VARIABLE_DENSITY ? mass / face_coefficients[i][axis] : mass;
}

// Returns the velocity that the faces of the block lost to the residual, m/s.
vec3 lost_velocity(uint block)
{
    uint axes = params.planar != 0u ? 2u : 3u;
    vec4 residual = vec4(0.0), mass = vec4(0.0);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        residual += viscous_residuals[block * POISSON_BLOCK_CELLS + cell];
        for (uint axis = 0u; axis < axes; axis++) mass[axis] += solved_mass(block, cell, axis);
    }
    vec3 masses = workgroup_sum(mass).xyz;
    return workgroup_sum(residual).xyz / max(masses, vec3(1e-6)); // without mass the residual is 0, too
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    vec3 rest = lost_velocity(block);
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        vec3 change = vec3(0.0);
        if (status.viscous_iterations > 0u) {
            change = face_change(block, cell);
            for (uint axis = 0u; axis < 3u; axis++)
                if (solved_mass(block, cell, axis) > 0.0) change[axis] += rest[axis];
        }
        viscous_velocities[i] = vec4(change, 0.0);
        face_velocities[i].xyz += change;
    }
}
