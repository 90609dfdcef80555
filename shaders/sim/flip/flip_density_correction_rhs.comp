// Computes the right-hand side of the second solve, which corrects cells that hold too many or too few
// particles (Kugelstadt and others 2019), and starts that solve; one workgroup per block. A substep corrects
// a small fraction of a small error, which is noise of the particle positions and would stir a still fluid,
// and all of a large error. A cell next to air or cut by a wall may be less than full.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
ATOMIC(solve);
READ_ANY(blocks);
READ_ANY(cells);
READ_ANY(coefficients);
READ_ANY(air_coefficients);
READ_ANY(fill_fractions);
WRITE_ANY(poisson_rhs);
WRITE_ANY(cell_pressures);
WRITE_ANY(cg_last_directions);
SHARE_ANY(block_sums);
#define STARTED_SOLUTIONS cell_pressures
#include "poisson/start.glsl"

bool is_uncut(uvec4 cell)
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
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE && !is_empty_solve()) return; // uniform across the workgroup
    vec4 sums = vec4(0.0);
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION && block != POISSON_NONE; k++) {
        uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        bool fluid = uintBitsToFloat(cells[i].w) < 0.0;
        bool surface = air_coefficients[i].x + air_coefficients[i].y + air_coefficients[i].z > 0.0;
        bool may_lack = surface || !is_uncut(cells[i]);
        float error = clamp(fill_fractions[i] - 1.0, may_lack ? 0.0 : -SIM_DRIFT_MAX_ERROR,
                            SIM_DRIFT_MAX_ERROR);
        float rate = max(1.0 - exp(-status.dt / SIM_DRIFT_TIME_S),
                         min(abs(error) / SIM_DRIFT_IMMEDIATE_ERROR, 1.0));
        poisson_rhs[i] = start_cell(i, fluid ? edge * edge * rate * error : 0.0, sums);
    }
    finish_start(block, sums);
}
