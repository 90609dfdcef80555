// The multiplier of every density constraint (Macklin and Mueller 2013, equations 1, 2, 8 and 11, with
// inverse masses in the denominator) with the walls' share in closed form.
// Reads a (gathered), lists; writes b (xyz position, w lambda); in iteration 0 marks particles that walls
// can reach in this substep.
#version 460
#include "sim.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(constant_id = 2) const bool PERIODIC = false;
layout(constant_id = 3) const bool ONE_MASS = true;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_A) readonly buffer a_block { vec4 a[]; };
layout(std430, binding = SIM_BIND_B) writeonly buffer b_block { vec4 b[]; };
layout(std430, binding = SIM_BIND_LISTS) readonly buffer lists_block { uint lists[]; };
layout(std430, binding = SIM_BIND_HEADERS) buffer headers_block { uint headers[]; };
layout(std430, binding = SIM_BIND_ITEMS) readonly buffer items_block { solid_item items[]; };
layout(std430, binding = SIM_BIND_NODES) readonly buffer nodes_block { solid_node solid_nodes[]; };
layout(std430, binding = SIM_BIND_VOLUMES) readonly buffer volumes_block { uint solid_volumes[]; };
layout(std430, binding = SIM_BIND_POSES) readonly buffer poses_block { solid_pose poses[]; };
layout(std430, binding = SIM_BIND_CAPACITY) readonly buffer grid_block { grid_params grid; };
#include "shape.glsl"
#include "wall.glsl"

void main()
{
    uint i = row.first + row_index();
    if (i >= state.live || state.flags != 0u) return;
    vec4 own = a[i];
    uint header = headers[i], count = header & GRID_COUNT_MASK, at = i - row.first;
    float density = 0.0, squares = 0.0;
    vec3 gradient = vec3(0.0);
    uint entry = grid_list_at(at, 0u, grid.list_capacity);
    for (uint k = 0u; k < count; k++, entry += GRID_LIST_BLOCK) {
        vec4 other = a[lists[entry]];
        vec3 d = own.xyz - other.xyz;
        if (PERIODIC) d -= params.period.xyz * round(d / max(params.period.xyz, vec3(1e-30)));
        float r2 = dot(d, d);
        float t = max(params.h2 - r2, 0.0);
        float inverse = inversesqrt(max(r2, 1e-20));
        float g = max(params.h - r2 * inverse, 0.0);
        g *= g;
        density += t * t * t;
        squares += ONE_MASS ? g * g : g * g * other.w;
        gradient -= d * (g * inverse);
    }
    density = params.self_density + params.poly6 * density;
    gradient *= params.spiky;
    squares *= params.spiky * params.spiky;
    squares += own.w * dot(gradient, gradient);
    if (row.inner == 0u && wall_near(own.xyz, params.wall_reach)) {
        header |= SIM_NEAR_WALL;
        headers[i] = header;
    }
    if ((header & SIM_NEAR_WALL) != 0u) density += wall_density(own.xyz).density;
    float c = max(density - 1.0, params.clamp_low);
    b[i] = vec4(own.xyz, -c / (squares + params.epsilon));
}
