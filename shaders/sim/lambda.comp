// The multiplier of every density constraint (Macklin and Mueller 2013, equations 1, 2, 8 and 11, with
// inverse masses in the denominator) with the walls' share in closed form.
// Reads a (gathered), lists, sorted away; writes b (xyz place, w lambda); in iteration 0 marks particles
// that walls and solids can reach in this substep, in each those that a solid counts for. For Chebyshev's
// guard and for residuals it sums the over-density in whole numbers.
#version 460
#include "sim.glsl"
#include "gather.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(constant_id = 2) const bool PERIODIC = false;
layout(constant_id = 3) const bool ONE_MASS = true;
layout(constant_id = 4) const bool ACCELERATED = false;
layout(constant_id = 5) const bool RESIDUALS = false;
layout(constant_id = 6) const bool ONE_KERNEL = false;
layout(constant_id = 7) const bool COMPACT = false;

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
layout(std430, binding = SIM_BIND_SORTED_AWAY) readonly buffer sorted_away_block { float sorted_away[]; };
#include "shape.glsl"
#include "wall.glsl"
#include "pairs.glsl"
#include "listed.glsl"
#include "errors.glsl"

struct lambda_sum {
    float density, squares;
    vec3 gradient;
};

void add_pair(inout lambda_sum sum, ivec3 p, ivec4 other, bool wanted)
{
    vec3 d = pair_way(p, other.xyz);
    float r2 = pair_distance2(d, wanted);
    float inverse = inversesqrt(max(r2, 1e-20));
    float g = max(1.0 - r2 * inverse, 0.0);
    float t = ONE_KERNEL ? g : max(1.0 - r2, 0.0);
    g *= g;
    sum.density += t * t * t;
    sum.squares += ONE_MASS ? g * g : g * g * intBitsToFloat(other.w);
    sum.gradient -= d * (g * inverse);
}

// The header's marks for the substep: which walls can come into reach.
uint mark_walls(uint i, ivec3 p, uint header)
{
    float away = HAS_SOLIDS ? sorted_away[i] : 1e30;
    // The coarse correction has moved it since.
    if (params.coarse_cells.w != 0u) away -= SIM_SOLID_SLOPE * params.correction_cap;
    if (away < wall_solid_reach()) header |= SIM_NEAR_SOLID;
    return away < params.wall_reach || wall_near_side(p, params.wall_reach) ? header | SIM_NEAR_WALL : header;
}

// The walls' density at p. A solid counts in the iteration when it is nearer than h, or when a correction
// can lead into it.
float add_walls(ivec3 p, inout uint header)
{
    wall_solids_near = (header & SIM_NEAR_SOLID) != 0u;
    wall_sum walls = wall_density(p);
    bool counts = walls.nearest < max(params.h, params.wall_gap + SIM_SOLID_SLOPE * params.correction_cap);
    header = wall_solids_near && counts ? header | SIM_AT_SOLID : header & ~SIM_AT_SOLID;
    return walls.density;
}

// The density at own without walls, and the squared gradients of the constraint.
float sum_pairs(uint i, ivec4 own, uint count, out float squares)
{
    lambda_sum sum = lambda_sum(0.0, 0.0, vec3(0.0));
    pair_begin();
    uint at = grid_list_at(i - row.first, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k += GRID_LIST_STEP, at += GRID_LIST_BLOCK) {
        uvec4 j = pair_listed(i, k, at);
        add_pair(sum, own.xyz, GATHERED(a, j.x), true);
        add_pair(sum, own.xyz, GATHERED(a, j.y), k + 1u < count);
        add_pair(sum, own.xyz, GATHERED(a, j.z), k + 2u < count);
        add_pair(sum, own.xyz, GATHERED(a, j.w), k + 3u < count);
    }
    vec3 gradient = sum.gradient * params.spiky;
    squares = sum.squares * params.spiky * params.spiky + intBitsToFloat(own.w) * dot(gradient, gradient);
    return params.density * (1.0 + sum.density);
}

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    ivec4 own = GATHERED(a, i);
    uint header = headers[i], before = header;
    float squares, density = sum_pairs(i, own, header & GRID_COUNT_MASK, squares);
    if (row.inner == 0u) header = mark_walls(i, own.xyz, header);
    if ((header & SIM_NEAR_WALL) != 0u) density += add_walls(own.xyz, header);
    if (header != before) headers[i] = header;
    if (ACCELERATED) errors_add(row.inner, density - 1.0);
    if (RESIDUALS) errors_raise(row.inner, density - 1.0);
    float c = max(density - 1.0, params.clamp_low);
    b[i] = ivec4(own.xyz, floatBitsToInt(-c / (squares + params.epsilon)));
}
