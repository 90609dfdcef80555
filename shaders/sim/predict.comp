// Forces and prediction (Macklin and Mueller 2013, algorithm 1, lines 1 to 4), a first collision, and
// who is dead: outside an open side, in a sink, or not a finite number.
// Reads x, v; writes b (xyz predicted place, w inverse mass, -1 when dead); counts in status. A distance
// between solids and a particle falls no faster than the particle moves: `away` keeps what is left of the
// last one, and solids are looked at when it no longer holds them off.
#version 460
#include "sim.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;
layout(constant_id = 2) const uint MEASURED = 0u;
layout(constant_id = 3) const bool STEADY = false; // no solid moves or changes

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_X) readonly buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_V) readonly buffer v_block { vec4 v[]; };
layout(std430, binding = SIM_BIND_B) writeonly buffer b_block { ivec4 b[]; };
layout(std430, binding = SIM_BIND_ITEMS) readonly buffer items_block { solid_item items[]; };
layout(std430, binding = SIM_BIND_NODES) readonly buffer nodes_block { solid_node solid_nodes[]; };
layout(std430, binding = SIM_BIND_VOLUMES) readonly buffer volumes_block { uint solid_volumes[]; };
layout(std430, binding = SIM_BIND_POSES) readonly buffer poses_block { solid_pose poses[]; };
layout(std430, binding = SIM_BIND_MEASURED) buffer measured_block { vec4 measured[]; };
layout(std430, binding = SIM_BIND_AWAY) buffer away_block { float away[]; };
#include "measure.glsl"
#include "shape.glsl"
#include "wall.glsl"
#include "predict.glsl"

bool outside_open_side(ivec3 p)
{
    bool outside = false;
    for (uint side = 0u; side < 6u; side++) {
        uint axis = side >> 1;
        bool open = (params.sides >> (2u * side) & 3u) == 1u;
        bool past = (side & 1u) == 0u ? p[axis] < params.place_min[axis] : p[axis] > params.place_max[axis];
        outside = outside || (open && past);
    }
    return outside;
}

bool in_sink(vec3 p)
{
    bool inside = false;
    uint first = params.sink_first, last = HAS_SOLIDS ? params.item_count : 0u;
    for (uint item = first; item < last; item++)
        inside = inside || wall_item_distance(item, p, 0.0) < 0.0;
    return inside;
}

float clearance(uint i, ivec3 start, ivec3 p)
{
    float reach = wall_solid_reach(), left = 0.0;
    if (STEADY) left = away[i] - SIM_SOLID_SLOPE * length(place_way(start, p));
    return left < reach ? wall_clearance(place_metres(p), reach) : left;
}

// Out of the walls that p, coming from `start`, is in or too near to.
ivec3 project(uint i, ivec3 start, ivec3 p)
{
    float clear = HAS_SOLIDS ? clearance(i, start, p) : 1e30;
    ivec3 free = p;
    wall_solids_near = clear < params.wall_gap;
    if (wall_solids_near || wall_near_side(p, params.wall_gap)) p = wall_project(p, start);
    // The way out counts twice: it is no part of what velocity.comp takes off later.
    if (HAS_SOLIDS) away[i] = clear - 2.0 * SIM_SOLID_SLOPE * length(place_way(p, free));
    return p;
}

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    ivec4 start = x[i];
    measure_begin(i, start.w);
    measure_clear();
    bool capped;
    vec3 way = predict_velocity(place_metres(start.xyz), v[i].xyz, capped) * status.dt;
    if (capped) atomicAdd(status.speed_caps, 1u);
    float weight = params.fluids[uint(clamp(start.w, 0, 15))].inverse_mass;
    bool lost = start.x == SIM_LOST || place_is_lost(way);
    ivec3 p = lost ? params.place_min.xyz : start.xyz + place_step(way);
    if (lost) {
        weight = -1.0;
        atomicAdd(status.non_finite, 1u);
    } else {
        p = project(i, start.xyz, p);
        if (outside_open_side(p)) {
            weight = -1.0;
            atomicAdd(status.escaped, 1u);
        } else if (in_sink(place_metres(p))) {
            weight = -1.0;
            atomicAdd(status.sunk, 1u);
        }
    }
    b[i] = ivec4(p, floatBitsToInt(weight));
}
