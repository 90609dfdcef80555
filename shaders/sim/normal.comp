// The normal of the free surface at every particle, times h: the gradient of the colour field (Akinci, Akinci
// and Teschner 2013, section 3.2). It points inwards at the surface and is near zero inside the fluid.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
FETCH(iterates);
OWN_WRITE(normals);
OWN_READ(lists);
OWN_READ(headers);
BLOCK(grid);
#include "kernel.glsl"
#include "pairs.glsl"
#include "listed.glsl"

// xyz sum of gradients, w sum of kernels, before their factors.
void add_pair(inout vec4 sum, ivec3 p, uint j, bool wanted)
{
    vec3 d = pair_offset(p, FETCHED(iterates, j).xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    sum += vec4(-d * (g * g * inverse), kernel_value(r2, g));
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = FETCHED(iterates, i).xyz;
    uint count = headers[i] & GRID_COUNT_MASK;
    vec4 sum = vec4(0.0);
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, p, j.x, true);
        add_pair(sum, p, j.y, k + 1u < count);
        add_pair(sum, p, j.z, k + 2u < count);
        add_pair(sum, p, j.w, k + 3u < count);
    }
    normals[i] = vec4(sum.xyz * (params.spiky * params.h), params.density * (1.0 + sum.w));
}
