// Packs all that a particle reads from a face into one vector, because flip_g2p_advect.comp reads 48 faces
// per particle and CPU drivers load a vector as fast as a word. Every face that particles contribute to gets
// a velocity here, so that the particles get back the momentum that they gave to the grid; the correction by
// flip_momentum_redistribute.comp is added. One invocation per POISSON_CELLS_PER_INVOCATION cells.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(face_velocities);
READ_ANY(face_velocity_changes);
READ_ANY(face_masses);
READ_ANY(pressure_gradients);
READ_ANY(rigid_coupling);
READ_ANY(momentum_corrections);
WRITE_OWN(packed_faces);
#include "mac/air.glsl"

vec3 momentum_correction_at(uint block, uint cell)
{
    vec3 part = (vec3(poisson_cell_coordinates(cell)) + 0.5) / float(POISSON_BLOCK_EDGE), sum = vec3(0.0);
    for (uint k = 0u; k < 8u; k++) {
        vec3 along = mix(1.0 - part, part, equal(uvec3(k, k >> 1, k >> 2) & 1u, uvec3(1u)));
        sum += along.x * along.y * along.z * momentum_corrections[8u * block + k].xyz;
    }
    return sum;
}

void main()
{
    uint count = solve.firsts[1] * POISSON_BLOCK_CELLS, axes = params.planar != 0u ? 2u : 3u;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint own = invocation_index() * POISSON_CELLS_PER_INVOCATION + k, i = pass.first + own;
        if (i >= count) return;
        uint block = i / POISSON_BLOCK_CELLS, cell = i % POISSON_BLOCK_CELLS;
        vec3 correction = momentum_correction_at(block, cell);
        for (uint axis = 0u; axis < 3u; axis++) {
            vec3 face =
                vec3(face_velocities[i][axis], face_velocity_changes[i][axis], pressure_gradients[i][axis]);
            bool known = mac_face_is_known(i, axis), usable = known;
            if (known) {
                bool open = mac_face_open_fraction(i, poisson_neighbour_cell(block, cell, 2u * axis),
                                                   2u * axis) > 0.0;
                if (open) face.xy += correction[axis];
            } else if (axis < axes && mac_face_is_usable(block, cell, axis)) {
                vec2 change = mac_extrapolate_change(block, cell, axis);
                face = vec3(face.x + change.x + correction[axis], change.x + correction[axis], change.y);
                usable = true;
            }
            packed_faces[3u * own + axis] =
                usable ? vec4(face, 0.0) : vec4(SIM_MAC_UNKNOWN_VELOCITY, 0.0, 0.0, 0.0);
        }
    }
}
