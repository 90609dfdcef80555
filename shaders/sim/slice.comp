// One layer of cells of the MAC grid, for pictures: the speed in the middle of each cell of fluid, or its
// pressure.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(slots);
READ_ANY(cells);
READ_ANY(faces);
READ_ANY(face_changes);
WRITE_OWN(slice);
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"
#include "mac/grid.glsl"

float speed_of(ivec3 at, uint cell)
{
    vec3 velocity = 0.5 * faces[cell].xyz;
    for (uint axis = 0u; axis < 3u; axis++) {
        ivec3 above = at;
        above[axis]++;
        uint other = mac_ends(above[axis], axis) ? POISSON_NONE : cells_index(uvec3(cells_inside(above)));
        if (other != POISSON_NONE) velocity[axis] += 0.5 * faces[other][axis];
    }
    if (params.planar != 0u) velocity.z = 0.0;
    return length(velocity);
}

float value_of(ivec3 at)
{
    uint cell = cells_index(uvec3(at));
    if (cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) >= 0.0) return SIM_NO_VALUE;
    if ((row.constant >> SIM_SLICE_OF_SHIFT & 3u) == SIM_SLICE_SPEED) return speed_of(at, cell);
    return params.fluids[0].density * face_changes[cell].w / status.dt;
}

void main()
{
    uint i = row_index(), axis = row.constant & 3u;
    int layer = int(row.constant >> SIM_SLICE_LAYER_SHIFT);
    uvec3 n = uvec3(params.mac_cells.xyz);
    uint columns = axis == 0u ? n.y : n.x, rows = axis == 2u ? n.y : n.z;
    if (i >= columns * rows) return;
    ivec2 at = ivec2(i % columns, i / columns);
    ivec3 cell = axis == 0u ? ivec3(layer, at) : axis == 1u ? ivec3(at.x, layer, at.y) : ivec3(at, layer);
    slice[i] = value_of(cell);
}
