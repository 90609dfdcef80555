// What every cell gives to the Poisson solver. It is fluid where it holds enough particles, or where those
// that it holds are as dense as fluid, which tells thin cells beside solids from spray. The sources are those
// of the two solves of div grad p = -C. The first is what the substep's motion adds to the density, of either
// sign: a source that knew over-density alone would drive the fluid apart, because noise then has a mean.
// Fluid that is less dense than rest may be compressed. The second is a share of the constraint, the drift
// that earlier substeps have left.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
GATHER(blocks);
SCATTER_UPDATE(cells);
SCATTER(cell_sources);
SCATTER(drifts);
GATHER(cell_sums);
#include "poisson_level.glsl"

void fill(uint i)
{
    float share = uintBitsToFloat(cells[i].w);
    uvec4 sum = cell_sums[i];
    vec2 mean = vec2(ivec2(sum.yz)) / (SIM_CELL_UNITS * float(max(sum.x, 1u)));
    float constraint = mean.x, change = mean.y;
    bool open = share >= SIM_CELL_OPEN_LEAST && (share >= 0.5 || sum.x > 0u);
    bool full = float(sum.x) >= params.cell_size.w * share;
    bool fluid = open && sum.x > 0u && (full || constraint > SIM_CELL_DENSE);
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    float volume = fluid ? share * edge * edge : 0.0;
    cell_sources[i] = volume * min(change, max(constraint + SIM_CELL_SLACK, 0.0));
    drifts[i] = volume * SIM_CELL_DRIFT * constraint;
    cells[i].w = floatBitsToUint(fluid ? -1.0 : open ? 0.0 : POISSON_CLOSED);
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_EACH; k++)
        fill(block * POISSON_CELLS + gl_LocalInvocationIndex + k * POISSON_WORKGROUP);
}
