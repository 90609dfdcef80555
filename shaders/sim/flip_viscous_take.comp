// Adds what the viscous solve has changed to the velocities of the faces; flip_project.comp counts it to the
// changes of the substep.
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

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        vec3 change = status.viscous_iterations == 0u ? vec3(0.0) : change_of(block, cell);
        viscous_velocities[i] = vec4(change, 0.0);
        faces[i].xyz += change;
    }
}
