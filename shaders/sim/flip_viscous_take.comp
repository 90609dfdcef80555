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
#include "poisson_level.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        if (status.viscous_iterations == 0u) viscous_velocities[i] = vec4(0.0);
        else faces[i].xyz += viscous_velocities[i].xyz;
    }
}
