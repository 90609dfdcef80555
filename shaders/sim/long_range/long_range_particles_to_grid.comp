// Scatters every particle to its cell with integer atomics, so that the order does not matter: its constraint
// C (Macklin and Mueller 2013, equation 1, walls included), and the change of C by the substep's displacement
// so far: the sum of grad W . (its displacement - its neighbour's) (equation 7), and its flow through what
// walls close of the cell. One invocation per particle. Also distributes the particle itself to the
// cells around it, from which long_range_level_set_rhs.comp finds the surface. The last word of `cells` still
// holds the cell's open fraction.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_TEXELS(iterated_positions);
READ_ANY(sorted_positions);
BLOCK(multigrid);
READ_ANY(blocks);
READ_ANY(block_slots);
READ_ANY(cells);
ATOMIC(long_range_sums);
READ_OWN(neighbour_lists);
READ_OWN(neighbour_headers);
BLOCK(grid);
READ_SOLIDS();
WORK_ESTIMATE(80, 32, 32);
#include "boundary/boundary.glsl"
#include "neighbours/pair.glsl"
#include "mac/cells.glsl"
#include "mac/cell_index.glsl"

struct constraint_terms {
    float density, change;
};

vec3 own_displacement; // m, since the substep's start

void add_pair(inout constraint_terms sum, ivec3 p, uint j, bool wanted)
{
    ivec3 other = TEXEL(iterated_positions, j).xyz;
    vec3 d = pair_offset(p, other), move = own_displacement - fixed_offset(other, sorted_positions[j].xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse, g = kernel_one_minus_r(r2, inverse);
    sum.density += kernel_value(r2, g);
    sum.change -= kernel_gradient_factor(1.0, g, inverse) * dot(d, move);
}

constraint_terms sum_pairs(uint i, ivec3 p, uint count)
{
    constraint_terms sum = constraint_terms(0.0, 0.0);
    FOR_EACH_NEIGHBOUR(i, count, add_pair(sum, p, j, wanted))
    return constraint_terms(params.kernel_density * (1.0 + sum.density), params.kernel_gradient * sum.change);
}

uint to_integer_units(float constraint)
{
    return uint(int(clamp(constraint, -1.0, 4.0) * SIM_LONG_RANGE_UNITS));
}

// Returns the density change as the displacement flows through the closed fractions of the cell's faces.
float closed_flow(uvec4 cell, vec3 displacement)
{
    vec3 net; // open fraction of the lower faces, less that of the upper ones
    for (uint axis = 0u; axis < 3u; axis++) {
        vec2 open = unpackUnorm2x16(cell[axis]);
        net[axis] = open.x - open.y;
    }
    return dot(net / params.cell_size.xyz, displacement) / max(uintBitsToFloat(cell.w), SIM_CELL_MIN_OPEN);
}

// Distributes a particle to the eight cells with the nearest centres, linearly along each axis. The fraction
// of a cell outside the domain goes to the adjacent cell inside, and the fraction of a closed cell stays in
// the particle's own cell, so that a fluid cell next to a wall is as full as one far from walls.
void scatter_to_cells(vec3 at, uint own)
{
    vec3 first = floor(at - 0.5), part = at - 0.5 - first;
    ivec3 low = ivec3(first);
    float kept = 0.0;
    for (uint k = 0u; k < 8u; k++) {
        ivec3 upper = ivec3(k, k >> 1, k >> 2) & 1;
        uint cell = cell_index(uvec3(cell_inside_domain(low + upper)));
        vec3 weights = mix(1.0 - part, part, equal(upper, ivec3(1)));
        float weight = weights.x * weights.y * weights.z;
        bool closed = cell == POISSON_NONE || uintBitsToFloat(cells[cell].w) < SIM_CELL_MIN_OPEN;
        if (closed || cell == own) kept += weight;
        else atomicAdd(long_range_sums[cell].w, uint(weight * SIM_LONG_RANGE_UNITS));
    }
    atomicAdd(long_range_sums[own].w, uint(kept * SIM_LONG_RANGE_UNITS));
}

void main()
{
    PARTICLE_OR_RETURN(i);
    ivec3 p = TEXEL(iterated_positions, i).xyz;
    // before the pairs, which then need fewer registers
    boundary_sum walls = boundary_density(p, boundary_solid_count());
    own_displacement = fixed_offset(p, sorted_positions[i].xyz);
    constraint_terms sum = sum_pairs(i, p, neighbour_headers[i] & GRID_COUNT_MASK);
    vec3 at = cell_coordinates(p);
    uint cell = cell_index(uvec3(cell_inside_domain(ivec3(at))));
    if (cell == POISSON_NONE) return; // only if passes rounded differently
    scatter_to_cells(at, cell);
    atomicAdd(long_range_sums[cell].x, 1u);
    atomicAdd(long_range_sums[cell].y, to_integer_units(sum.density + walls.density - 1.0));
    float change = sum.change + closed_flow(cells[cell], own_displacement);
    atomicAdd(long_range_sums[cell].z, to_integer_units(change));
}
