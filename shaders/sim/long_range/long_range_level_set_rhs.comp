// Computes the level set of every cell and the right-hand sides of the two solves of div grad p = -C; one
// workgroup per block.
// A cell is fluid if its centre is below the surface, or if its particles are as dense as fluid, which
// distinguishes thin cells next to solids from spray. The level set is minus the depth of the centre, in
// cells, so that the surface lies inside cells.
// The first right-hand side is the density change by the substep's motion, that of solids included, of either
// sign: over-density alone would drive the fluid apart, because noise then has a positive mean. Fluid that is
// less dense than at rest may be compressed. The second is a fraction of the constraint: the drift that
// earlier substeps have left.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/sim.glsl"

BLOCK(status);
BLOCK(multigrid);
BLOCK(solve);
READ_ANY(blocks);
UPDATE_ANY(cells);
WRITE_ANY(poisson_rhs);
WRITE_ANY(drift_rhs);
READ_ANY(long_range_sums);
READ_SOLIDS();
#include "poisson/level.glsl"
#include "mac/boundary.glsl"
#include "mac/position.glsl"
#include "mac/fractions.glsl"

// Returns the density change of a cell, times its volume, as solids move in the closed fractions of its
// faces, m2.
float solid_flow(uint i)
{
    if (!HAS_SOLIDS || STATIC_SOLIDS) return 0.0;
    ivec3 at = ivec3(blocks[i / POISSON_BLOCK_CELLS].at.xyz * POISSON_BLOCK_EDGE +
                     poisson_cell_coordinates(i % POISSON_BLOCK_CELLS));
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z)), flow = 0.0;
    for (uint side = 0u; side < 6u; side++) {
        uint axis = side >> 1;
        bool up = (side & 1u) != 0u;
        vec2 open = unpackUnorm2x16(cells[i][axis]);
        float closed = 1.0 - (up ? open.y : open.x);
        ivec3 face = at;
        if (up) face[axis]++;
        if (closed == 0.0) continue;
        float moved = status.dt * mac_solid_velocity(mac_face_centre(face, axis))[axis];
        flow += (up ? -moved : moved) * closed / params.cell_size[axis];
    }
    return edge * edge * flow;
}

void compute_level_set_and_rhs(uint i)
{
    float share = uintBitsToFloat(cells[i].w);
    uvec4 sum = long_range_sums[i];
    vec2 mean = vec2(ivec2(sum.yz)) / (SIM_LONG_RANGE_UNITS * float(max(sum.x, 1u)));
    float constraint = mean.x, change = mean.y;
    bool open = share >= SIM_CELL_MIN_OPEN && (share >= 0.5 || sum.x > 0u);
    float filled = float(sum.w) / (SIM_LONG_RANGE_UNITS * params.cell_size.w * max(share, SIM_CELL_MIN_OPEN));
    bool dense = sum.x > 0u && constraint > SIM_LONG_RANGE_MIN_CONSTRAINT;
    bool fluid = open && (filled > 0.5 || dense);
    float depth = depth_from_fill(min(filled, 1.0));
    float level = fluid ? -max(depth, SIM_LEVEL_SET_MIN_DEPTH) : max(-depth, 0.0);
    float edge = min(params.cell_size.x, min(params.cell_size.y, params.cell_size.z));
    float volume = fluid ? share * edge * edge : 0.0;
    float flow = volume * change + (fluid ? solid_flow(i) : 0.0);
    poisson_rhs[i] = min(flow, volume * max(constraint + SIM_LONG_RANGE_SLACK, 0.0));
    drift_rhs[i] = volume * SIM_LONG_RANGE_DRIFT_FRACTION * constraint;
    cells[i].w = floatBitsToUint(open ? level : POISSON_CLOSED);
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++)
        compute_level_set_and_rhs(block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex +
                                  k * POISSON_WORKGROUP);
}
