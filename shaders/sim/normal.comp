// Where the fluid is, seen from every particle: h times the gradient of the colour field (Akinci, Akinci and
// Teschner 2013, section 3.2), which points inwards at a free surface and is near zero inside.
// Reads a (gathered), lists; writes normals (xyz normal, w density over rest density without walls).
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool PERIODIC = false;
layout(constant_id = 2) const bool ONE_KERNEL = false;
layout(constant_id = 3) const bool COMPACT = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
GATHER_WHOLE_BLOCK(SIM_BIND_A, a);
layout(std430, binding = SIM_BIND_NORMALS) writeonly buffer normals_block { vec4 normals[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uvec4 lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) readonly buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };
#include "pairs.glsl"
#include "listed.glsl"

// xyz sum of gradients, w sum of kernels, before their factors.
void add_pair(inout vec4 sum, ivec3 p, uint j, bool wanted)
{
    vec3 d = pair_way(p, GATHERED(a, j).xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    float t = ONE_KERNEL ? g : max(1.0 - r2, 0.0);
    sum += vec4(-d * (g * g * inverse), t * t * t);
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = GATHERED(a, i).xyz;
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
