// Packs all that a particle reads from a face into one vector, because flip_g2p_advect.comp reads 48 faces
// per particle and CPU drivers load a vector as fast as a word. Every face that particles contribute to gets
// a velocity here, so that the particles get back the momentum that they gave to the grid; the correction by
// flip_momentum_redistribute.comp is added. The last word says whether the fluid in the cell leaves a wall;
// with VARIABLE_DENSITY it is the face's density over the first fluid's, and its sign says that.
// One invocation per POISSON_CELLS_PER_INVOCATION cells.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
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
READ_ANY(face_coefficients);
READ_ANY(body_iterated_states);
READ_ANY(body_layer_changes);
WRITE_OWN(packed_faces);
#include "mac/air.glsl"
#include "mac/body_layer.glsl"
#include "mac/separation.glsl"
#include "particles/external_forces.glsl"
#include "mac/position.glsl"

vec3 momentum_correction_at(uint block, uint cell)
{
    vec3 part = (vec3(poisson_cell_coordinates(cell)) + 0.5) / float(POISSON_BLOCK_EDGE), sum = vec3(0.0);
    for (uint k = 0u; k < 8u; k++) {
        vec3 along = mix(1.0 - part, part, equal(uvec3(k, k >> 1, k >> 2) & 1u, uvec3(1u)));
        sum += along.x * along.y * along.z * momentum_corrections[8u * block + k].xyz;
    }
    return sum;
}

// Returns by how much a face moves faster because its body takes the layer of fluid along; 0 elsewhere.
float body_layer_change(uint block, uint cell, uint axis)
{
    uint rigid = mac_layer_body(block, cell, axis), body = rigid - 1u;
    if (rigid == 0u) return 0.0;
    uvec3 at = blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell);
    vec3 arm = mac_face_centre(ivec3(at), axis) - body_iterated_states[body].position.xyz;
    return body_layer_changes[2u * body][axis] + cross(body_layer_changes[2u * body + 1u].xyz, arm)[axis];
}

// Returns the flow out of a cell through the open fractions of its sides, 1/s.
float outflow(uint block, uint cell)
{
    float sum = 0.0;
    uint i = block * POISSON_BLOCK_CELLS + cell, sides = params.planar != 0u ? 4u : 6u;
    for (uint side = 0u; side < sides; side++) {
        uint axis = side >> 1, other = poisson_neighbour_cell(block, cell, side), upper = i;
        if ((side & 1u) != 0u) upper = other;
        if (upper == POISSON_NONE) continue;
        float flow = mac_face_open_fraction(i, other, side) * face_velocities[upper][axis];
        sum += ((side & 1u) != 0u ? flow : -flow) / params.cell_size[axis];
    }
    return sum;
}

// Returns whether the fluid in a cell leaves a wall: the wall would have to pull it, or it has left and does
// not flow back. Without a surface the fluid has nowhere to go. Bodies pull, so that they stay coupled; so do
// all walls where nothing accelerates the fluid, because the tension has no scale there.
bool leaves_wall(uint block, uint cell)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    if (!SEPARATING_WALLS || solve.has_surface == 0u || !mac_is_at_wall(i)) return false;
    if (HAS_BODIES && rigid_coupling[i].w != 0.0) return false;
    if (mac_is_separating(i)) return outflow(block, cell) > 0.0;
    ivec3 at = ivec3(blocks[block].at.xyz * POISSON_BLOCK_EDGE + poisson_cell_coordinates(cell));
    float weight = status.dt * length(acceleration_at(mac_cell_centre(at))) * params.cell_size.x;
    if (VARIABLE_DENSITY) weight /= face_coefficients[i].x;
    bool fluid = uintBitsToFloat(cells[i].w) < 0.0;
    return fluid && weight > 0.0 && face_velocity_changes[i].w < -SIM_SEPARATION_CELLS * weight;
}

void main()
{
    uint count = solve.firsts[1] * POISSON_BLOCK_CELLS, axes = params.planar != 0u ? 2u : 3u;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint own = invocation_index() * POISSON_CELLS_PER_INVOCATION + k, i = pass.first + own;
        if (i >= count) return;
        uint block = i / POISSON_BLOCK_CELLS, cell = i % POISSON_BLOCK_CELLS;
        vec3 correction = momentum_correction_at(block, cell);
        bool leaves = leaves_wall(block, cell);
        float mark = leaves ? 1.0 : 0.0;
        for (uint axis = 0u; axis < 3u; axis++) {
            if (VARIABLE_DENSITY) mark = (leaves ? -1.0 : 1.0) / face_coefficients[i][axis];
            vec3 face =
                vec3(face_velocities[i][axis], face_velocity_changes[i][axis], pressure_gradients[i][axis]);
            bool known = mac_face_is_known(i, axis), usable = known;
            if (known) {
                bool open = mac_face_open_fraction(i, poisson_neighbour_cell(block, cell, 2u * axis),
                                                   2u * axis) > 0.0;
                if (open) face.xy += correction[axis];
                if (HAS_BODIES) face.xy += body_layer_change(block, cell, axis);
            } else if (axis < axes && mac_face_is_usable(block, cell, axis)) {
                vec2 change = mac_extrapolate_change(block, cell, axis, false, face.y);
                face = vec3(face.x + change.x + correction[axis], change.x + correction[axis], change.y);
                usable = true;
            }
            packed_faces[3u * own + axis] =
                usable ? vec4(face, mark) : vec4(SIM_MAC_UNKNOWN_VELOCITY, 0.0, 0.0, mark);
        }
    }
}
