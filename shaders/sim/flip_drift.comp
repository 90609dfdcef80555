// The sources of the second solve: cells that hold too many or too few particles (Kugelstadt and others
// 2019). A substep corrects a small share of a small error, which is the chance of the seeds and would stir a
// still fluid, and all of a large one. Beside air, or cut by a wall, a cell may be less than full.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(links);
READ_ANY(fullness);
WRITE_ANY(cell_sources);
#include "poisson/level.glsl"

bool is_whole(uvec4 cell)
{
    vec3 least = vec3(1.0);
    for (uint axis = 0u; axis < 3u; axis++) {
        vec2 open = unpackUnorm2x16(cell[axis]);
        least[axis] = max(open.x, open.y);
    }
    return min(least.x, min(least.y, params.planar != 0u ? 1.0 : least.z)) > 0.99;
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    for (uint k = 0u; k < POISSON_EACH; k++) {
        uint i = block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        bool fluid = uintBitsToFloat(cells[i].w) < 0.0, surface = links[i].x + links[i].y + links[i].z > 0.0;
        bool may_lack = surface || !is_whole(cells[i]);
        float error = clamp(fullness[i] - 1.0, may_lack ? 0.0 : -SIM_DRIFT_MOST, SIM_DRIFT_MOST);
        float rate = max(1.0 - exp(-status.dt / SIM_DRIFT_TIME), min(abs(error) / SIM_DRIFT_CROWDED, 1.0));
        cell_sources[i] = fluid ? edge * edge * rate * error : 0.0;
    }
}
