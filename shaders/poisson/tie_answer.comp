// One invocation a rigid: how it answers the sums over its cells, which are then forgotten.
#version 460
#include "bindings/poisson.glsl"

BLOCK(solve);
UPDATE_OWN(rigids);
UPDATE_ANY(rigid_sums);
#include "poisson/scale.glsl"

vec3 take(uint at)
{
    vec3 sum;
    for (uint axis = 0u; axis < 3u; axis++, at += 2u) {
        sum[axis] = whole_value(uvec2(rigid_sums[at], rigid_sums[at + 1u])) * rigid_unit();
        rigid_sums[at] = rigid_sums[at + 1u] = 0u;
    }
    return sum;
}

void main()
{
    uint i = row_index();
    if (i >= row.constant || solve.done != 0u) return;
    vec3 shift = take(i * POISSON_RIGID_WORDS), turn = take(i * POISSON_RIGID_WORDS + 6u);
    vec3 own = rigids[i].matrix.yzw, across = rigids[i].across.xyz;
    rigids[i].shift.xyz = rigids[i].matrix.x * shift;
    rigids[i].turn.xyz =
        vec3(dot(vec3(own.x, across.xy), turn), dot(vec3(across.x, own.y, across.z), turn),
             dot(vec3(across.yz, own.z), turn));
}
