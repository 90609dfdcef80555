// Surface tension (Akinci, Akinci and Teschner 2013, equations 1 to 5): cohesion along every pair and a pull
// that evens out the normals, both the same on both particles of a pair. Scaled so that the fluid's
// tension is in N/m (docs/equations.md); between two fluids the smaller one counts.
// Reads a, normals, start (all gathered), lists; adds the change of velocity in a substep to v.
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool PERIODIC = false;
layout(constant_id = 2) const bool ONE_TENSION = true;
layout(constant_id = 3) const bool ADDS = true; // to what the viscosity wrote
layout(constant_id = 4) const bool COMPACT = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
GATHER_WHOLE_BLOCK(SIM_BIND_A, a);
GATHER_WHOLE_BLOCK(SIM_BIND_NORMALS, normals);
GATHER_WHOLE_BLOCK(SIM_BIND_START, start);
layout(std430, binding = SIM_BIND_V) buffer v_block { vec4 v[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uvec4 lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) readonly buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };
#include "kernel.glsl"
#include "pairs.glsl"
#include "listed.glsl"

float own_tension;

void add_pair(inout vec3 sum, ivec3 p, vec4 normal, uint j, bool wanted)
{
    vec4 other = GATHERED_FLOATS(normals, j);
    vec3 d = pair_way(p, GATHERED(a, j).xyz);
    float r2 = pair_distance2(d, wanted), inverse = inversesqrt(max(r2, 1e-20));
    float q = min(r2 * inverse, 1.0);
    vec3 pull = d * (params.cohesion * kernel_cohesion(q) * inverse);
    if (q < 1.0) pull += params.curvature * (normal.xyz - other.xyz);
    float tension = own_tension;
    if (!ONE_TENSION) tension = min(tension, params.fluids[GATHERED(start, j).w].surface_tension);
    sum -= pull * (tension * 2.0 / (normal.w + other.w));
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = GATHERED(a, i).xyz;
    vec4 normal = GATHERED_FLOATS(normals, i);
    uint count = headers[i] & GRID_COUNT_MASK, fluid = uint(GATHERED(start, i).w);
    vec3 sum = vec3(0.0);
    own_tension = params.fluids[fluid].surface_tension;
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, p, normal, j.x, true);
        add_pair(sum, p, normal, j.y, k + 1u < count);
        add_pair(sum, p, normal, j.z, k + 2u < count);
        add_pair(sum, p, normal, j.w, k + 3u < count);
    }
    vec3 before = ADDS ? v[i].xyz : vec3(0.0);
    v[i] = vec4(before + sum * (status.dt / params.fluids[fluid].mass), 0.0);
}
