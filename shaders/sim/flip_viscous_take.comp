// Adds what the viscous solve has changed to the velocities of the faces; flip_project.comp counts it to the
// changes of the substep. The forces of the matrix sum to nothing, so what the solve has left of its residual
// is momentum that the fluid has lost: each block gets the sum of what its faces lack.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
SCATTER_UPDATE(viscous_velocities);
SCATTER_UPDATE(faces);
GATHER(cells);
GATHER(viscous_cells);
GATHER(viscous_residuals);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
#include "shape.glsl"
#include "wall.glsl"
#include "poisson_level.glsl"
#include "mac_wall.glsl"

// A face that a wall holds, but does not cover, gets the wall's velocity here, for the solve leaves it alone.
vec3 change_of(uint block, uint cell)
{
    uint i = block * POISSON_CELLS + cell;
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell));
    vec3 change = viscous_velocities[i].xyz;
    for (uint axis = 0u; axis < 3u; axis++) {
        if ((viscous_cells[i] & SIM_VISCOUS_FIXED_X << axis) == 0u) continue;
        if (mac_open(i, poisson_beside(block, cell, 2u * axis), 2u * axis) <= 0.0) continue;
        change[axis] = mac_wall_velocity(mac_face_metres(at, axis))[axis] - faces[i][axis];
    }
    return change;
}

// The mass for which the solve took the lower face of a cell, over that of a full cell.
float mass_of(uint block, uint cell, uint axis)
{
    uint i = block * POISSON_CELLS + cell, below = poisson_beside(block, cell, 2u * axis);
    bool solved = viscous_residuals[i].w > 0.0 && (viscous_cells[i] & SIM_VISCOUS_FIXED_X << axis) == 0u;
    uint fluids = (viscous_cells[i] & SIM_VISCOUS_FLUID) +
                  (below != POISSON_NONE ? viscous_cells[below] & SIM_VISCOUS_FLUID : 0u);
    return solved ? 0.5 * float(fluids) : 0.0;
}

shared vec4 lanes[POISSON_WORKGROUP];

vec3 sum_of_block(vec4 own)
{
    uint lane = gl_LocalInvocationIndex;
    barrier(); // all have read the last sum
    lanes[lane] = own;
    barrier();
    for (uint half_count = POISSON_WORKGROUP / 2u; half_count > 0u; half_count /= 2u) {
        if (lane < half_count) lanes[lane] += lanes[lane + half_count];
        barrier();
    }
    return lanes[0].xyz;
}

// What all faces of the block lack, m/s.
vec3 find_rest(uint block)
{
    uint axes = params.planar != 0u ? 2u : 3u;
    vec4 residual = vec4(0.0), mass = vec4(0.0);
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        residual += viscous_residuals[block * POISSON_CELLS + cell];
        for (uint axis = 0u; axis < axes; axis++) mass[axis] += mass_of(block, cell, axis);
    }
    vec3 masses = sum_of_block(mass);
    return sum_of_block(residual) / max(masses, vec3(0.5)); // no mass, no residual
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    vec3 rest = find_rest(block);
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        vec3 change = vec3(0.0);
        if (status.viscous_iterations > 0u) {
            change = change_of(block, cell);
            for (uint axis = 0u; axis < 3u; axis++)
                if (mass_of(block, cell, axis) > 0.0) change[axis] += rest[axis];
        }
        viscous_velocities[i] = vec4(change, 0.0);
        faces[i].xyz += change;
    }
}
