// Loops over neighbour lists and computes the offsets of pairs. Neighbours are read four at a time: their
// loads overlap, and CPU drivers spend less on the loop. A list is padded to a multiple of four with the
// particle itself. For a padded entry `wanted` is false; a sum of products with the offset, which is 0 there,
// need not test it. Offsets are in units of h: on a lattice they are dyadic, so their sums are exact,
// whatever h is. Or they are in steps, the unit of positions, which is h over a power of two: a sum of steps
// that is converted to h after the loop has the same bits. PERIODIC is a constant.
// Buffers: params, and those of neighbours/neighbour_list.glsl.
#ifndef NEIGHBOURS_PAIR_GLSL
#define NEIGHBOURS_PAIR_GLSL
#include "neighbours/neighbour_list.glsl"

// Read once before the loop: a compiler that assumes aliasing would read the block for every pair.
float pair_step_over_h, pair_step_over_h2; // a step in h, and its square
ivec3 pair_period;
vec3 pair_inverse_period; // 1 / period; 0 on axes that are not periodic

void pair_read_params()
{
    pair_step_over_h = params.unit_over_h;
    pair_step_over_h2 = pair_step_over_h * pair_step_over_h;
    if (PERIODIC) {
        pair_period = params.fixed_period.xyz;
        pair_inverse_period = mix(vec3(0.0), 1.0 / vec3(pair_period), greaterThan(pair_period, ivec3(0)));
    }
}

// Returns the offset from q to p, in steps; on periodic axes the shortest one.
vec3 pair_offset_steps(ivec3 p, ivec3 q)
{
    ivec3 d = p - q;
    if (PERIODIC) d -= pair_period * ivec3(roundEven(vec3(d) * pair_inverse_period));
    return vec3(d);
}

// Returns the offset from q to p, in h. Exact, because a step over h is a power of two.
vec3 pair_offset(ivec3 p, ivec3 q) { return pair_offset_steps(p, q) * pair_step_over_h; }

// Returns the squared distance, in h^2; for a padded entry a distance at which every kernel is zero.
// The operand of the selection is computed for all entries: an expression there would be a branch.
float pair_distance2(vec3 d, bool wanted)
{
    float r2 = dot(d, d);
    return wanted ? r2 : 4.0;
}

// Return the squared distance, in h^2, of an offset in steps.
float pair_distance2_steps(vec3 steps) { return dot(steps, steps) * pair_step_over_h2; }
float pair_distance2_steps(vec3 steps, bool wanted)
{
    float r2 = pair_distance2_steps(steps);
    return wanted ? r2 : 4.0;
}

// Executes `statement` for each neighbour j of particle i, which has `count`; `wanted` is false for padding.
// The next four are read ahead, because a GPU waits longer for them than for what they point to.
#define FOR_EACH_NEIGHBOUR(i, count, statement)                                             \
    {                                                                                       \
        pair_read_params();                                                                 \
        uint list_at = grid_list_index(i - pass.first, 0u, grid.list_capacity);             \
        uvec4 next = neighbour_indices(i, 0u, list_at);                                     \
        for (uint k = 0u; k < count; k += GRID_LIST_STEP) {                                 \
            uvec4 four = next;                                                              \
            list_at += GRID_LIST_INTERLEAVE;                                                \
            if (k + GRID_LIST_STEP < count) next = neighbour_indices(i, k + GRID_LIST_STEP, list_at); \
            WITH_NEIGHBOUR(four.x, true, statement)                                         \
            WITH_NEIGHBOUR(four.y, k + 1u < count, statement)                               \
            WITH_NEIGHBOUR(four.z, k + 2u < count, statement)                               \
            WITH_NEIGHBOUR(four.w, k + 3u < count, statement)                               \
        }                                                                                   \
    }
#define WITH_NEIGHBOUR(neighbour, listed, statement) \
    {                                                \
        uint j = neighbour;                          \
        bool wanted = listed;                        \
        statement;                                   \
    }
#endif
