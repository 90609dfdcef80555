// Packs what a particle takes from a face into one vector: flip_take reads 48 faces for a particle, and CPU
// drivers take a vector as fast as a word. Every face on which particles weigh has a velocity here, so that
// they take from the grid the momentum that they have given to it; and what flip_refund.comp gives back.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(faces);
READ_ANY(face_changes);
READ_ANY(face_masses);
READ_ANY(slopes);
READ_ANY(ties);
READ_ANY(refunds);
WRITE_OWN(packed_faces);
#include "mac/air.glsl"

vec3 refund_at(uint block, uint cell)
{
    vec3 part = (vec3(poisson_local(cell)) + 0.5) / float(POISSON_EDGE), sum = vec3(0.0);
    for (uint k = 0u; k < 8u; k++) {
        vec3 along = mix(1.0 - part, part, equal(uvec3(k, k >> 1, k >> 2) & 1u, uvec3(1u)));
        sum += along.x * along.y * along.z * refunds[8u * block + k].xyz;
    }
    return sum;
}

void main()
{
    uint count = solve.firsts[1] * POISSON_CELLS, axes = params.planar != 0u ? 2u : 3u;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint own = row_index() * POISSON_EACH + k, i = row.first + own;
        if (i >= count) return;
        uint block = i / POISSON_CELLS, cell = i % POISSON_CELLS;
        vec3 refund = refund_at(block, cell);
        for (uint axis = 0u; axis < 3u; axis++) {
            vec3 face = vec3(faces[i][axis], face_changes[i][axis], slopes[i][axis]);
            bool known = mac_is_known(i, axis), serves = known;
            if (known) {
                bool open = mac_open(i, poisson_beside(block, cell, 2u * axis), 2u * axis) > 0.0;
                if (open) face.xy += refund[axis];
            } else if (axis < axes && mac_serves(block, cell, axis)) {
                vec2 change = mac_change_in_air(block, cell, axis);
                face = vec3(face.x + change.x + refund[axis], change.x + refund[axis], change.y);
                serves = true;
            }
            packed_faces[3u * own + axis] = serves ? vec4(face, 0.0) : vec4(SIM_MAC_UNKNOWN, 0.0, 0.0, 0.0);
        }
    }
}
