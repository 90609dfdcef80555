// The multiplier of every density constraint (Macklin and Mueller 2013, equations 1, 2, 8 and 11, with
// inverse masses in the denominator) with the walls' share in closed form.
// Reads a (gathered), lists; writes b (xyz place, w lambda); in iteration 0 marks particles that walls
// can reach in this substep. For Chebyshev's guard and for residuals it sums the over-density in whole
// numbers.
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(constant_id = 2) const bool PERIODIC = false;
layout(constant_id = 3) const bool ONE_MASS = true;
layout(constant_id = 4) const bool ACCELERATED = false;
layout(constant_id = 5) const bool RESIDUALS = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
GATHER_WHOLE_BLOCK(SIM_BIND_A, a);
layout(std430, binding = SIM_BIND_B) writeonly buffer b_block { ivec4 b[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uvec4 lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_ITEMS) readonly buffer items_block { solid_item items[]; };
layout(std430, binding = SIM_BIND_NODES) readonly buffer nodes_block { solid_node solid_nodes[]; };
layout(std430, binding = SIM_BIND_VOLUMES) readonly buffer volumes_block { uint solid_volumes[]; };
layout(std430, binding = SIM_BIND_POSES) readonly buffer poses_block { solid_pose poses[]; };
layout(std430, binding = SIM_BIND_ERRORS) buffer errors_block { uint errors[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };
#include "shape.glsl"
#include "wall.glsl"
#include "pairs.glsl"
#include "errors.glsl"

struct lambda_sum {
    float density, squares;
    vec3 gradient;
};

void add_pair(inout lambda_sum sum, ivec3 p, ivec4 other, bool wanted)
{
    vec3 d = pair_way(p, other.xyz);
    float r2 = pair_distance2(d, wanted);
    float t = max(1.0 - r2, 0.0);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    g *= g;
    sum.density += t * t * t;
    sum.squares += ONE_MASS ? g * g : g * g * intBitsToFloat(other.w);
    sum.gradient -= d * (g * inverse);
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 own = GATHERED(a, i);
    uint header = headers[i], count = header & GRID_COUNT_MASK;
    lambda_sum sum = lambda_sum(0.0, 0.0, vec3(0.0));
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = lists[at];
        add_pair(sum, own.xyz, GATHERED(a, j.x), true);
        add_pair(sum, own.xyz, GATHERED(a, j.y), k + 1u < count);
        add_pair(sum, own.xyz, GATHERED(a, j.z), k + 2u < count);
        add_pair(sum, own.xyz, GATHERED(a, j.w), k + 3u < count);
    }
    float density = params.poly6 * (1.0 + sum.density);
    vec3 gradient = sum.gradient * params.spiky;
    float squares = sum.squares * params.spiky * params.spiky + intBitsToFloat(own.w) * dot(gradient, gradient);
    if (row.inner == 0u && wall_near(own.xyz, params.wall_reach)) {
        header |= SIM_NEAR_WALL;
        headers[i] = header;
    }
    if ((header & SIM_NEAR_WALL) != 0u) density += wall_density(own.xyz).density;
    if (ACCELERATED) errors_add(row.inner, density - 1.0);
    if (RESIDUALS) errors_raise(row.inner, density - 1.0);
    float c = max(density - 1.0, params.clamp_low);
    b[i] = ivec4(own.xyz, floatBitsToInt(-c / (squares + params.epsilon)));
}
