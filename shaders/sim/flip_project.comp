// Takes the gradient of the pressure from the velocities. Only faces beside fluid are known afterwards; a
// closed one has the velocity of its wall. What the substep has changed of a face is kept for FLIP, the
// pressure for pictures.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
GATHER(cells);
GATHER(slopes);
GATHER(cell_pressures);
SCATTER_UPDATE(faces);
SCATTER(face_changes);
GATHER(viscous_velocities);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
#include "shape.glsl"
#include "wall.glsl"
#include "poisson_level.glsl"
#include "mac_wall.glsl"
#include "predict.glsl"

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        ivec3 at = ivec3(blocks[block].at.xyz * POISSON_EDGE + poisson_local(cell));
        vec4 velocity = faces[i], slope = slopes[i];
        vec3 change = vec3(0.0);
        uint known = uint(slope.w);
        for (uint axis = 0u; axis < 3u; axis++) {
            if ((known >> axis & 1u) == 0u) {
                velocity[axis] = SIM_MAC_UNKNOWN;
                continue;
            }
            vec3 middle = mac_face_metres(at, axis);
            float added = status.dt * predict_acceleration(middle)[axis];
            if (VISCOUS) added += viscous_velocities[i][axis];
            float before = velocity[axis] - added;
            bool open = mac_open(i, poisson_beside(block, cell, 2u * axis), 2u * axis) > 0.0;
            velocity[axis] = open ? velocity[axis] + slope[axis] : mac_wall_velocity(middle)[axis];
            change[axis] = open ? added + slope[axis] : velocity[axis] - before;
        }
        faces[i] = vec4(velocity.xyz, slope.w);
        face_changes[i] = vec4(change, cell_pressures[i]);
    }
}
