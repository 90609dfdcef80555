// Computes the coefficients of a level from those of the next finer level, by joining cells in eights; one
// workgroup per block. A plain sum of coefficients (the Galerkin product with a copy as prolongation) is too
// stiff, because the centres of joined cells are farther apart than those of the fine cells. The conductance
// of a face between two joined cells is therefore that of the three parts of the path between their centres
// in series; the same holds for a path to air.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
UPDATE_ANY(coefficients);
UPDATE_ANY(air_coefficients);
WRITE_ANY(right_sides);
#include "poisson/border.glsl"
#include "poisson/level.glsl"

// Half of a joined cell lies in front of a face, so its inner coefficient counts twice. Slightly above the
// value of the series the V-cycle converges best; measured (docs/performance.md).
const float FACE_SCALE = 1.05, MIN_CONDUCTANCE = 0.5;

// Returns the resistance of the half cell next to a face over that of the crossing; 0 if the cell has one
// layer.
float half_cell_resistance(float crossing, float inner) { return inner > 0.0 ? 0.5 * crossing / inner : 0.0; }

// Sums of the finer level's coefficients along each axis: across the lower face of a joined cell, inside it,
// and to air.
struct joined_cell {
    vec3 low, inner, air;
};

joined_cell join_cells(uint block, uint cell, uint level)
{
    joined_cell sum = joined_cell(vec3(0.0), vec3(0.0), vec3(0.0));
    for (uint child = 0u; child < 8u; child++) {
        uint below = fine_cell(block, cell, level, child);
        if (below == POISSON_NONE) continue;
        vec3 own = coefficients[below].xyz;
        for (uint axis = 0u; axis < 3u; axis++) {
            if ((child >> axis & 1u) == 0u) sum.low[axis] += own[axis];
            else sum.inner[axis] += own[axis];
        }
        sum.air += air_coefficients[below].xyz;
    }
    return sum;
}

// Returns the sums along one axis: x across the lower face, y inside.
vec2 join_cells_along(uint block, uint cell, uint level, uint axis)
{
    vec2 sum = vec2(0.0);
    for (uint child = 0u; child < 8u; child++) {
        uint below = fine_cell(block, cell, level, child);
        float own = below == POISSON_NONE ? 0.0 : coefficients[below][axis];
        if ((child >> axis & 1u) == 0u) sum.x += own;
        else sum.y += own;
    }
    return sum;
}

// The sums along each axis of the block's cells, and along the axis of the side of those beside its sides
shared vec2 joined[3u * POISSON_BLOCK_CELLS + 6u * POISSON_SIDE_CELLS];

void join_border(uint block, uint level)
{
    for (uint k = gl_LocalInvocationIndex; k < 6u * POISSON_SIDE_CELLS; k += POISSON_WORKGROUP) {
        uint side = k / POISSON_SIDE_CELLS, cell = border_cell(block, side, k % POISSON_SIDE_CELLS);
        uint other = poisson_neighbour_cell(block, cell, side);
        if (other == POISSON_NONE) continue;
        joined[3u * POISSON_BLOCK_CELLS + k] =
            join_cells_along(other / POISSON_BLOCK_CELLS, other % POISSON_BLOCK_CELLS, level, side >> 1);
    }
}

// Returns the sums of `other`, the neighbour of a cell across a side, along the axis of the side.
vec2 joined_neighbour(uint block, uint cell, uint side, uint other)
{
    bool inside = other / POISSON_BLOCK_CELLS == block;
    return joined[inside ? (side >> 1) * POISSON_BLOCK_CELLS + other % POISSON_BLOCK_CELLS
                         : 3u * POISSON_BLOCK_CELLS + border_index(cell, side)];
}

float face(float crossing, float inner, float other_inner)
{
    float share =
        1.0 / (1.0 + half_cell_resistance(crossing, inner) + half_cell_resistance(crossing, other_inner));
    return crossing * min(1.0, FACE_SCALE * max(MIN_CONDUCTANCE, share));
}

void write_equation(uint block, uint cell, vec3 air)
{
    uint i = block * POISSON_BLOCK_CELLS + cell;
    vec3 low = vec3(0.0);
    float sum = 0.0;
    for (uint axis = 0u; axis < 3u; axis++) {
        vec2 own = joined[axis * POISSON_BLOCK_CELLS + cell];
        uint side = 2u * axis, before = poisson_neighbour_cell(block, cell, side);
        uint after = poisson_neighbour_cell(block, cell, side + 1u);
        if (before != POISSON_NONE && before != i)
            low[axis] = face(own.x, own.y, joined_neighbour(block, cell, side, before).y);
        float high = 0.0;
        if (after != POISSON_NONE && after != i) {
            vec2 next = joined_neighbour(block, cell, side + 1u, after);
            high = face(next.x, next.y, own.y);
        }
        air[axis] *= max(MIN_CONDUCTANCE, 1.0 / (1.0 + half_cell_resistance(air[axis], own.y)));
        sum += low[axis] + high + air[axis];
    }
    coefficients[i] = vec4(low, sum);
    air_coefficients[i] = vec4(air, 0.0);
    right_sides[i] = 0.0; // restrict_residual.comp leaves out cells that join none
}

void main()
{
    uint level = pass.constant, block = workgroup_block(level);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    vec3 air[POISSON_CELLS_PER_INVOCATION];
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP;
        joined_cell own = join_cells(block, cell, level);
        for (uint axis = 0u; axis < 3u; axis++)
            joined[axis * POISSON_BLOCK_CELLS + cell] = vec2(own.low[axis], own.inner[axis]);
        air[k] = own.air;
    }
    join_border(block, level);
    barrier();
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++)
        write_equation(block, gl_LocalInvocationIndex + k * POISSON_WORKGROUP, air[k]);
}
