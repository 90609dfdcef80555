// Writes one layer of MAC cells for pictures: the speed at the centre of each fluid cell (m/s), or its
// pressure (Pa). One invocation per cell of the layer.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
READ_ANY(face_velocities);
READ_ANY(face_velocity_changes);
WRITE_OWN(slice);
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"
#include "mac/grid.glsl"

float cell_speed(ivec3 at, uint cell)
{
    vec3 velocity = 0.5 * face_velocities[cell].xyz;
    for (uint axis = 0u; axis < 3u; axis++) {
        ivec3 above = at;
        above[axis]++;
        uint other = mac_is_end_face(above[axis], axis) ? POISSON_NONE
                                                        : cell_index(uvec3(cell_inside_domain(above)));
        if (other != POISSON_NONE) velocity[axis] += 0.5 * face_velocities[other][axis];
    }
    if (params.planar != 0u) velocity.z = 0.0;
    return length(velocity);
}

float cell_value(ivec3 at)
{
    uint cell = cell_index(uvec3(at));
    if (cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) >= 0.0) return SIM_NO_VALUE;
    if ((pass.constant >> SIM_SLICE_QUANTITY_SHIFT & 3u) == SIM_SLICE_SPEED) return cell_speed(at, cell);
    return params.fluids[0].density * face_velocity_changes[cell].w / status.dt;
}

void main()
{
    uint i = invocation_index(), axis = pass.constant & 3u;
    int layer = int(pass.constant >> SIM_SLICE_LAYER_SHIFT);
    uvec3 n = uvec3(params.mac_cells.xyz);
    uint columns = axis == 0u ? n.y : n.x, rows = axis == 2u ? n.y : n.z;
    if (i >= columns * rows) return;
    ivec2 at = ivec2(i % columns, i / columns);
    ivec3 cell = axis == 0u ? ivec3(layer, at) : axis == 1u ? ivec3(at.x, layer, at.y) : ivec3(at, layer);
    slice[i] = cell_value(cell);
}
