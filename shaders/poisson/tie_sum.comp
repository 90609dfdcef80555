// Sums over the cells that each rigid ties: J times the direction. Within a block the sum is a tree; of
// blocks, whole numbers have the same sum in any order.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(directions);
READ_ANY(ties);
READ_ANY(tie_turns);
ATOMIC(rigid_sums);
#include "poisson/level.glsl"
#include "reduce/max_sum.glsl"
#include "poisson/scale.glsl"

// 1 + the rigid of a cell that is below `last`, the largest of the workgroup; 0 behind the smallest.
float next_rigid(float first, float second, float last)
{
    float own = max(first < last ? first : 0.0, second < last ? second : 0.0);
    float most = lanes_join(vec4(0.0, 0.0, 0.0, own)).w;
    barrier(); // before others write to lanes
    return most;
}

void give(uint at, vec3 sum)
{
    for (uint axis = 0u; axis < 3u; axis++) WHOLE_ADD(rigid_sums, at + 2u * axis, sum[axis] / rigid_unit())
}

void main()
{
    uint block = level_block(0u);
    if (block == POISSON_NONE) return; // alike in the whole workgroup
    uint i = block * POISSON_CELLS + gl_LocalInvocationIndex, j = i + POISSON_WORKGROUP;
    float x = coefficients[i].w > 0.0 ? directions[i] : 0.0;
    float y = coefficients[j].w > 0.0 ? directions[j] : 0.0;
    float of_i = ties[i].w, of_j = ties[j].w, rigid = next_rigid(of_i, of_j, 1e9);
    while (rigid > 0.0) {
        vec3 shift = vec3(0.0), turn = vec3(0.0);
        if (of_i == rigid) {
            shift = ties[i].xyz * x;
            turn = tie_turns[i].xyz * x;
        }
        if (of_j == rigid) {
            shift += ties[j].xyz * y;
            turn += tie_turns[j].xyz * y;
        }
        vec3 shifts = lanes_join(vec4(shift, 0.0)).xyz;
        barrier();
        vec3 turns = lanes_join(vec4(turn, 0.0)).xyz;
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            uint at = (uint(rigid) - 1u) * POISSON_RIGID_WORDS;
            give(at, shifts);
            give(at + 6u, turns);
        }
        rigid = next_rigid(of_i, of_j, rigid);
    }
}
