// PCISPH: where the pressure forces, with the gradients at the start of the substep, take the prediction;
// moved out of the walls last.
// Reads b (gathered), lists, last; writes a; counts in status who is no longer finite.
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(constant_id = 2) const bool PERIODIC = false;
layout(constant_id = 3) const bool COMPACT = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_A) buffer a_block { ivec4 a[]; };
GATHER_WHOLE_BLOCK(SIM_BIND_B, b);
layout(std430, binding = SIM_BIND_LAST) readonly buffer last_block { ivec4 last[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uvec4 lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) readonly buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_ITEMS) readonly buffer items_block { solid_item items[]; };
layout(std430, binding = SIM_BIND_NODES) readonly buffer nodes_block { solid_node solid_nodes[]; };
layout(std430, binding = SIM_BIND_VOLUMES) readonly buffer volumes_block { uint solid_volumes[]; };
layout(std430, binding = SIM_BIND_POSES) readonly buffer poses_block { solid_pose poses[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };
#include "shape.glsl"
#include "wall.glsl"
#include "pairs.glsl"
#include "listed.glsl"

void add_pair(inout vec3 sum, ivec4 own, ivec4 other, bool wanted)
{
    vec3 d = pair_way(own.xyz, other.xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    sum -= d * ((intBitsToFloat(own.w) + intBitsToFloat(other.w)) * g * g * inverse);
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 own = GATHERED(b, i);
    float weight = intBitsToFloat(a[i].w);
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, own, GATHERED(b, j.x), true);
        add_pair(sum, own, GATHERED(b, j.y), k + 1u < count);
        add_pair(sum, own, GATHERED(b, j.z), k + 2u < count);
        add_pair(sum, own, GATHERED(b, j.w), k + 3u < count);
    }
    vec3 push = sum * params.spiky;
    bool near_wall = (header & SIM_NEAR_WALL) != 0u;
    if (near_wall) push += intBitsToFloat(own.w) * wall_density(own.xyz).gradient;
    bool lost = a[i].x == SIM_LOST || place_is_lost(push);
    ivec3 p = lost ? ivec3(SIM_LOST) : last[i].xyz + place_step(weight * push);
    if (near_wall && !lost) p = wall_project(p, own.xyz);
    if (row.inner + 1u == params.iterations && lost) atomicAdd(status.broken, 1u);
    a[i] = ivec4(p, floatBitsToInt(weight));
}
