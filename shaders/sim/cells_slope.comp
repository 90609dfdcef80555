// -grad p on the lower faces of every cell, m. The pressure of the motion is that of a fluid that walls push
// and do not pull; that of the drift has either sign.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
GATHER(cells);
GATHER(cell_pressures);
SCATTER(slopes);
#include "poisson_level.glsl"

float pressure_at(uint i)
{
    float pressure = cell_pressures[i];
    return row.constant == SIM_CELLS_DRIFTING ? pressure : max(pressure, 0.0);
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_CELLS + cell;
        vec3 slope = vec3(0.0);
        for (uint axis = 0u; axis < 3u; axis++) {
            uint below = poisson_beside(block, cell, 2u * axis);
            float pressure = below == POISSON_NONE ? 0.0 : pressure_at(below);
            bool open = (cells[i][axis] & 0xffffu) != 0u;
            if (open) slope[axis] = (pressure - pressure_at(i)) / params.cell_size[axis];
        }
        slopes[i] = vec4(slope, 0.0);
    }
}
