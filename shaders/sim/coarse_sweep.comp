// One sweep of Jacobi's method for the pressure whose gradient moves fluid out of crowded cells:
// div(grad p) = -C, where C is the mean constraint of a cell's particles, at least 0. Where solids cut a cell
// or its faces, only the open share counts (Batty, Bertails and Bridson 2007).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

GATHER(cells);
GATHER(pressures);
OWN_WRITE(swept);
#include "coarse.glsl"

void main()
{
    uint i = row_index(), across = params.coarse_cells.x, up = params.coarse_cells.y;
    if (i >= params.coarse_cells.w) return;
    uvec2 cell = cells[i];
    float p = 0.0;
    float count = float(coarse_count(cell)), open = coarse_open(coarse_gap(cell));
    if (!coarse_is_solid(cell) && count >= params.coarse_size.w * open) {
        ivec3 at = ivec3(i % across, i / across % up, i / (across * up));
        float own = pressures[i], weights = 0.0;
        p = open * max(float(int(cell.y)) / (SIM_CELL_UNITS * count), 0.0);
        uint axes = coarse_axes();
        for (uint axis = 0u; axis < axes; axis++) {
            ivec3 step = ivec3(axis == 0u, axis == 1u, axis == 2u);
            float weight = 1.0 / (params.coarse_size[axis] * params.coarse_size[axis]);
            coarse_neighbour low = coarse_find(at - step, axis, i), high = coarse_find(at + step, axis, i);
            p += weight * (mix(own, low.pressure, low.share) + mix(own, high.pressure, high.share));
            weights += 2.0 * weight;
        }
        p /= weights;
    }
    swept[i] = p;
}
