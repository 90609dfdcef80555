// One sweep of Jacobi's method for the pressure whose gradient moves fluid out of crowded cells:
// div(grad p) = -C, C the mean constraint of a cell's particles where it is above zero.
// Reads cells, pressures; writes swept.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_CELLS) readonly buffer cells_block { uvec2 cells[]; };
layout(std430, binding = SIM_BIND_PRESSURES) readonly buffer pressures_block { float pressures[]; };
layout(std430, binding = SIM_BIND_SWEPT) writeonly buffer swept_block { float swept[]; };
#include "coarse.glsl"

void main()
{
    uint i = row_index(), across = params.coarse_cells.x, up = params.coarse_cells.y;
    if (i >= params.coarse_cells.w) return;
    uvec2 cell = cells[i];
    float p = 0.0;
    if (!coarse_is_solid(cell) && float(cell.x) >= params.coarse_size.w) {
        ivec3 at = ivec3(i % across, i / across % up, i / (across * up));
        float own = pressures[i], weights = 0.0;
        p = max(float(int(cell.y)) / (SIM_CELL_UNITS * float(cell.x)), 0.0);
        uint axes = coarse_axes();
        for (uint axis = 0u; axis < axes; axis++) {
            ivec3 step = ivec3(axis == 0u, axis == 1u, axis == 2u);
            float weight = 1.0 / (params.coarse_size[axis] * params.coarse_size[axis]);
            p += weight * (coarse_pressure(at - step, axis, own) + coarse_pressure(at + step, axis, own));
            weights += 2.0 * weight;
        }
        p /= weights;
    }
    swept[i] = p;
}
