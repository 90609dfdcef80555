// Adds every particle to its cell, in whole numbers, so that the order does not matter: its constraint
// (Macklin and Mueller 2013, equation 1, walls included), and what the substep's displacement so far adds to
// it, which is the sum of grad W . (its move - its neighbour's) (equation 7). The particle itself is shared
// out to the cells about it, from which cells_fill.comp finds the surface. The last word of `cells` is still
// the open share of the cell.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_TEXELS(iterates);
READ_ANY(starts);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(slots);
READ_ANY(cells);
ATOMIC(cell_sums);
READ_OWN(lists);
READ_OWN(headers);
BLOCK(grid);
READ_SOLIDS();
WORK(80, 32, 32);
#include "boundary/boundary.glsl"
#include "neighbours/pair.glsl"
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"

struct cell_sum {
    float density, change;
};

vec3 own_move; // m, since the substep's start

void add_pair(inout cell_sum sum, ivec3 p, uint j, bool wanted)
{
    ivec3 other = TEXEL(iterates, j).xyz;
    vec3 d = pair_offset(p, other), move = own_move - fixed_offset(other, starts[j].xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse, g = kernel_g(r2, inverse);
    sum.density += kernel_value(r2, g);
    sum.change -= kernel_slope(1.0, g, inverse) * dot(d, move);
}

cell_sum sum_pairs(uint i, ivec3 p, uint count)
{
    cell_sum sum = cell_sum(0.0, 0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, j, wanted))
    return cell_sum(params.density * (1.0 + sum.density), params.slope * sum.change);
}

uint whole_units(float constraint) { return uint(int(clamp(constraint, -1.0, 4.0) * SIM_CELL_UNITS)); }

// Shares a particle out to the eight cells whose middles are nearest, linearly along each axis. The share of
// a cell outside the domain goes to the cell inside next to it, and the share of a closed cell stays in the
// particle's own cell: a cell of fluid beside a wall is then as full as one far from walls.
void share_out(vec3 at, uint own)
{
    vec3 first = floor(at - 0.5), part = at - 0.5 - first;
    ivec3 low = ivec3(first);
    float kept = 0.0;
    for (uint k = 0u; k < 8u; k++) {
        ivec3 upper = ivec3(k, k >> 1, k >> 2) & 1;
        uint cell = cells_index(uvec3(cells_inside(low + upper)));
        vec3 weights = mix(1.0 - part, part, equal(upper, ivec3(1)));
        float weight = weights.x * weights.y * weights.z;
        bool closed = cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) < SIM_CELL_OPEN_LEAST;
        if (closed || cell == own) kept += weight;
        else atomicAdd(cell_sums[cell].w, uint(weight * SIM_CELL_UNITS));
    }
    atomicAdd(cell_sums[own].w, uint(kept * SIM_CELL_UNITS));
}

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterates, i).xyz;
    wall_sum walls = wall_density(p, wall_solids()); // before the pairs, which then need fewer registers
    own_move = fixed_offset(p, starts[i].xyz);
    float displaced = dot(walls.gradient, own_move);
    cell_sum sum = sum_pairs(i, p, headers[i] & GRID_COUNT_MASK);
    vec3 at = cells_at(p);
    uint cell = cells_index(uvec3(cells_inside(ivec3(at))));
    share_out(at, cell);
    atomicAdd(cell_sums[cell].x, 1u);
    atomicAdd(cell_sums[cell].y, whole_units(sum.density + walls.density - 1.0));
    atomicAdd(cell_sums[cell].z, whole_units(sum.change + displaced + walls.moved));
}
