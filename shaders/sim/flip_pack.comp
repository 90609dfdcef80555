// Packs what a particle takes from a face into one vector: flip_take reads 48 faces for a particle, and CPU
// drivers take a vector as fast as a word.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(solve);
OWN_READ(faces);
OWN_READ(face_changes);
OWN_READ(slopes);
OWN_WRITE(packed_faces);

void main()
{
    uint count = solve.firsts[1] * POISSON_CELLS;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint own = row_index() * POISSON_EACH + k, i = row.first + own;
        if (i >= count) return;
        vec4 velocity = faces[i], change = face_changes[i], slope = slopes[i];
        for (uint axis = 0u; axis < 3u; axis++)
            packed_faces[3u * own + axis] = vec4(velocity[axis], change[axis], slope[axis], 0.0);
    }
}
