// Computes the level set of every cell for the pressure solve from its fill fraction; one workgroup per
// block. It is negative where the centre of a cell lies inside a wall next to fluid, so that the surface
// meets the wall. A cell at a wall that fluid is leaving counts as air (docs/equations.md). Overwrites the
// last word of `cells`, until now the cell's open fraction.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
READ_ANY(fill_fractions);
READ_ANY(face_masses);
UPDATE_ANY(cells);
#include "poisson/level.glsl"
#include "mac/fractions.glsl"
#include "mac/separation.glsl"

const float SURFACE_FILL_FRACTION = 0.5; // cells with a larger fill fraction are fluid

bool touches_fluid(uint block, uint cell, uvec4 own)
{
    for (uint side = 0u; side < 6u; side++) {
        uint other = poisson_neighbour_cell(block, cell, side);
        float open = unpackUnorm2x16(own[side >> 1])[side & 1u];
        if (open > 0.0 && other != POISSON_NONE && fill_fractions[other] > SURFACE_FILL_FRACTION) return true;
    }
    return false;
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        uvec4 own = cells[i];
        float share = uintBitsToFloat(own.w), filled = min(fill_fractions[i] / max(share, 0.5), 1.0);
        bool open = (own.x | own.y | own.z) != 0u;
        float level = filled > SURFACE_FILL_FRACTION
                          ? -max(depth_from_fill(filled), SIM_LEVEL_SET_MIN_DEPTH)
                          : max(-depth_from_fill(filled), 0.0);
        if (mac_is_separating(i)) level = max(level, 0.5);
        else if (open && share < 0.5 && level >= 0.0 && touches_fluid(block, cell, own)) level = -0.5;
        cells[i].w = floatBitsToUint(open ? level : POISSON_CLOSED);
    }
}
