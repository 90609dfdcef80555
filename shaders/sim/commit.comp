// Ends a substep: vorticity confinement (Macklin and Mueller 2013, equation 16, not normalised by the
// curl), XSPH and surface tension added to the velocity, the position made that of the next substep.
// Reads a, b (gathered), lists, start, sorted ids, x (velocity), v (the change of XSPH and tension);
// writes x, v, ids.
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool PERIODIC = false;
layout(constant_id = 2) const bool CONFINED = true;
layout(constant_id = 3) const bool CHANGED = true;
layout(constant_id = 4) const bool COMPACT = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
GATHER_WHOLE_BLOCK(SIM_BIND_A, a);
GATHER_WHOLE_BLOCK(SIM_BIND_B, b);
layout(std430, binding = SIM_BIND_START) readonly buffer start_block { ivec4 start[]; };
layout(std430, binding = SIM_BIND_X) buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_V) buffer v_block { vec4 v[]; };
layout(std430, binding = SIM_BIND_SORTED_IDS) readonly buffer sorted_block { uint sorted_ids[]; };
layout(std430, binding = SIM_BIND_IDS) writeonly buffer ids_block { uint ids[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uvec4 lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) readonly buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };

#include "pairs.glsl"
#include "listed.glsl"

void add_pair(inout vec3 sum, ivec3 p, float size, uint j, bool wanted)
{
    vec3 d = pair_way(p, GATHERED(a, j).xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    sum -= d * ((intBitsToFloat(GATHERED(b, j).w) - size) * g * g * inverse);
}

// The gradient of |curl| at particle i, up to a positive factor: only its direction counts.
vec3 curl_gradient(uint i, ivec3 p)
{
    float size = intBitsToFloat(GATHERED(b, i).w);
    uint count = headers[i] & GRID_COUNT_MASK;
    vec3 sum = vec3(0.0);
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, p, size, j.x, true);
        add_pair(sum, p, size, j.y, k + 1u < count);
        add_pair(sum, p, size, j.z, k + 2u < count);
        add_pair(sum, p, size, j.w, k + 3u < count);
    }
    return sum;
}

// The float quotient may be off by one next to a side.
ivec3 wrapped(ivec3 p)
{
    ivec3 period = params.place_period.xyz, low = params.place_min.xyz;
    bvec3 wraps = greaterThan(period, ivec3(0));
    p -= period * ivec3(floor(mix(vec3(0.0), vec3(p - low) / vec3(period), wraps)));
    p += mix(ivec3(0), period, lessThan(p, low));
    return p - mix(ivec3(0), period, greaterThanEqual(p, low + period));
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec3 p = GATHERED(a, i).xyz;
    vec3 velocity = intBitsToFloat(x[i].xyz);
    if (CHANGED) velocity += v[i].xyz;
    if (CONFINED) {
        vec3 eta = curl_gradient(i, p);
        float size = length(eta);
        if (size > 0.0)
            velocity += status.dt * params.vorticity * cross(eta / size, GATHERED_FLOATS(b, i).xyz);
    }
    if (PERIODIC && p.x != SIM_LOST) p = wrapped(p);
    x[i] = ivec4(p, start[i].w);
    v[i] = vec4(velocity, 0.0);
    ids[i] = sorted_ids[i];
}
