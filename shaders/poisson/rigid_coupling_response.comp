// Computes the response of each rigid body to the sums over its cells, then clears the sums; one invocation
// per rigid body.
#version 460
#include "bindings/poisson.glsl"

BLOCK(solve);
UPDATE_OWN(rigid_responses);
UPDATE_ANY(rigid_projections);
#include "poisson/scale.glsl"

vec3 read_and_clear_sum(uint at)
{
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++, at += 2u) {
        sum[axis] =
            integer_value(uvec2(rigid_projections[at], rigid_projections[at + 1u])) * rigid_coupling_unit();
        rigid_projections[at] = rigid_projections[at + 1u] = 0u;
    }
    return sum;
}

void main()
{
    uint i = invocation_index();
    if (i >= pass.constant || solve.done != 0u) return;
    vec3 translation = read_and_clear_sum(i * POISSON_RIGID_WORDS);
    vec3 rotation = read_and_clear_sum(i * POISSON_RIGID_WORDS + 6u);
    vec3 own = rigid_responses[i].matrix.yzw, off_diagonal = rigid_responses[i].matrix_off_diagonal.xyz;
    rigid_responses[i].translation.xyz = rigid_responses[i].matrix.x * translation;
    rigid_responses[i].rotation.xyz =
        vec3(dot(vec3(own.x, off_diagonal.xy), rotation),
             dot(vec3(off_diagonal.x, own.y, off_diagonal.z), rotation),
             dot(vec3(off_diagonal.yz, own.z), rotation));
}
