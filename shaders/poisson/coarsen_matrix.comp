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
#include "poisson/level.glsl"

// Half of a joined cell lies in front of a face, so its inner coefficient counts twice. Slightly above the
// value of the series the V-cycle converges best; measured (docs/performance.md).
const float FACE_SCALE = 1.05, MIN_CONDUCTANCE = 0.5;

// Returns the resistance of the half cell next to a face over that of the crossing; 0 if the cell has one
// layer.
float half_cell_resistance(float crossing, float inner) { return inner > 0.0 ? 0.5 * crossing / inner : 0.0; }

struct fine_coefficients {
    float low, inner; // sums of the finer level's coefficients across the lower face, and inside
};

fine_coefficients sum_fine_coefficients(uint i, uint level, uint axis)
{
    fine_coefficients sum = fine_coefficients(0.0, 0.0);
    for (uint child = 0u; child < 8u; child++) {
        uint below = fine_cell(i / POISSON_BLOCK_CELLS, i % POISSON_BLOCK_CELLS, level, child);
        float own = below == POISSON_NONE ? 0.0 : coefficients[below][axis];
        if ((child >> axis & 1u) == 0u) sum.low += own;
        else sum.inner += own;
    }
    return sum;
}

float face(float crossing, float inner, float other_inner)
{
    float share =
        1.0 / (1.0 + half_cell_resistance(crossing, inner) + half_cell_resistance(crossing, other_inner));
    return crossing * min(1.0, FACE_SCALE * max(MIN_CONDUCTANCE, share));
}

vec3 sum_air_coefficients(uint block, uint cell, uint level)
{
    vec3 sum = vec3(0.0);
    for (uint child = 0u; child < 8u; child++) {
        uint below = fine_cell(block, cell, level, child);
        if (below != POISSON_NONE) sum += air_coefficients[below].xyz;
    }
    return sum;
}

void main()
{
    uint level = pass.constant, block = workgroup_block(level);
    if (block == POISSON_NONE) return;
    for (uint k = 0u; k < POISSON_CELLS_PER_INVOCATION; k++) {
        uint cell = gl_LocalInvocationIndex + k * POISSON_WORKGROUP, i = block * POISSON_BLOCK_CELLS + cell;
        vec3 air = sum_air_coefficients(block, cell, level), low = vec3(0.0);
        float sum = 0.0;
        for (uint axis = 0u; axis < 3u; axis++) {
            fine_coefficients own = sum_fine_coefficients(i, level, axis);
            uint before = poisson_neighbour_cell(block, cell, 2u * axis);
            uint after = poisson_neighbour_cell(block, cell, 2u * axis + 1u);
            if (before != POISSON_NONE && before != i)
                low[axis] = face(own.low, own.inner, sum_fine_coefficients(before, level, axis).inner);
            float high = 0.0;
            if (after != POISSON_NONE && after != i) {
                fine_coefficients next = sum_fine_coefficients(after, level, axis);
                high = face(next.low, next.inner, own.inner);
            }
            air[axis] *= max(MIN_CONDUCTANCE, 1.0 / (1.0 + half_cell_resistance(air[axis], own.inner)));
            sum += low[axis] + high + air[axis];
        }
        coefficients[i] = vec4(low, sum);
        air_coefficients[i] = vec4(air, 0.0);
        right_sides[i] = 0.0; // restrict_residual.comp leaves out cells that join none
    }
}
