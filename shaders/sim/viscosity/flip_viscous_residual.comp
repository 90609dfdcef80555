// Computes the initial residual of the viscous solve on the MAC grid, and the inverse of the largest diagonal
// element among the faces of each cell, which preconditions it; one workgroup per block. Both are 0 in cells
// of the last block that lie beyond the domain: on a periodic axis their neighbours are those of cells at the
// other end, which would count twice.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(viscous_cells);
READ_ANY(face_coefficients);
READ_ANY(viscous_face_bodies);
READ_ANY(body_viscous_states);
READ_ANY(viscous_velocities);
WRITE_ANY(viscous_residuals);
vec3 viscous_face_velocities(uint i) { return viscous_velocities[i].xyz; }
#include "mac/viscosity.glsl"

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    viscous_load_tile(block);
    uint axes = params.planar != 0u ? 2u : 3u;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, place = viscous_tile_index(cell);
        uint i = block * POISSON_BLOCK_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
        bool beyond = any(greaterThanEqual(at, ivec3(multigrid.cells[0].xyz)));
        vec3 residual = vec3(0.0);
        float diagonal = 0.0;
        for (uint axis = 0u; axis < axes && !beyond; axis++) {
            viscous_term term = viscous_stress_divergence(place, axis);
            residual[axis] = -term.value;
            diagonal = max(diagonal, viscous_face_mass(i, place, axis) + term.own);
        }
        viscous_residuals[i] = vec4(residual, diagonal > 0.0 ? 1.0 / diagonal : 0.0);
    }
}
