// Computes J times the search direction, the sums over the cells coupled to each rigid body; one workgroup
// per block. Within a block the sum is a tree; sums of blocks are added as integers, whose order does not
// matter.
#version 460
#define WORKGROUP POISSON_WORKGROUP
#include "bindings/poisson.glsl"

BLOCK(solve);
READ_ANY(blocks);
READ_ANY(coefficients);
READ_ANY(cg_directions);
READ_ANY(rigid_coupling);
READ_ANY(rigid_coupling_angular);
ATOMIC(rigid_projections);
#include "poisson/level.glsl"
#include "poisson/next_rigid.glsl"
#include "poisson/scale.glsl"

void add_coupling_sum(uint at, vec3 sum)
{
    for (uint axis = 0u; axis < 3u; axis++)
        INTEGER_ATOMIC_ADD(rigid_projections, at + 2u * axis, sum[axis] / rigid_coupling_unit())
}

void main()
{
    uint block = workgroup_block(0u);
    if (block == POISSON_NONE) return; // uniform across the workgroup
    uint i = block * POISSON_BLOCK_CELLS + gl_LocalInvocationIndex, j = i + POISSON_WORKGROUP;
    float x = coefficients[i].w > 0.0 ? cg_directions[i] : 0.0;
    float y = coefficients[j].w > 0.0 ? cg_directions[j] : 0.0;
    float of_i = rigid_coupling[i].w, of_j = rigid_coupling[j].w;
    float rigid = next_rigid_in_block(of_i, of_j, 1e9);
    while (rigid > 0.0) {
        vec3 translation = vec3(0.0), rotation = vec3(0.0);
        if (of_i == rigid) {
            translation = rigid_coupling[i].xyz * x;
            rotation = rigid_coupling_angular[i].xyz * x;
        }
        if (of_j == rigid) {
            translation += rigid_coupling[j].xyz * y;
            rotation += rigid_coupling_angular[j].xyz * y;
        }
        vec3 translations = workgroup_sum_and_max(vec4(translation, 0.0)).xyz;
        barrier();
        vec3 rotations = workgroup_sum_and_max(vec4(rotation, 0.0)).xyz;
        barrier();
        if (gl_LocalInvocationIndex == 0u) {
            uint at = (uint(rigid) - 1u) * POISSON_RIGID_WORDS;
            add_coupling_sum(at, translations);
            add_coupling_sum(at + 6u, rotations);
        }
        rigid = next_rigid_in_block(of_i, of_j, rigid);
    }
}
