// Forces and prediction (Macklin and Mueller 2013, algorithm 1, lines 1 to 4), a first collision, and
// who is dead: outside an open side, in a sink, or not a finite number.
// Reads x, v; writes b (xyz predicted place, w inverse mass, -1 when dead); counts in status. A distance
// between solids and a particle falls no faster than the particle moves: `away` keeps what is left of the
// last one, and solids are looked at when it no longer holds them off.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
ATOMIC(status);
OWN_READ(positions);
OWN_READ(velocities);
OWN_WRITE(predictions);
OWN_UPDATE(measured);
OWN_UPDATE(clearances);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
WORK(20, 0, 0);
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
        bool past = (side & 1u) == 0u ? p[axis] < params.fixed_min[axis] : p[axis] > params.fixed_max[axis];
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
    if (STEADY) left = clearances[i] - SIM_SOLID_SLOPE * length(fixed_offset(start, p));
    return left < reach ? wall_clearance(fixed_metres(p), reach) : left;
}

// Out of the walls that p, coming from `start`, is in or too near to.
ivec3 project(uint i, ivec3 start, ivec3 p)
{
    float clear = HAS_SOLIDS ? clearance(i, start, p) : 1e30;
    ivec3 free = p;
    wall_solids_near = clear < params.wall_gap;
    if (wall_solids_near || wall_near_side(p, params.wall_gap)) p = wall_project(p, start);
    // The way out counts twice: it is no part of what velocity.comp takes off later.
    if (HAS_SOLIDS) clearances[i] = clear - 2.0 * SIM_SOLID_SLOPE * length(fixed_offset(p, free));
    return p;
}

void main()
{
    uint i = row_index();
    if (i >= state.count || state.flags != 0u) return;
    ivec4 start = positions[i];
    measure_begin(i, start.w);
    measure_clear();
    bool capped;
    vec3 way = predict_velocity(fixed_metres(start.xyz), velocities[i].xyz, capped) * status.dt;
    if (capped) atomicAdd(status.speed_caps, 1u);
    float weight = params.fluids[uint(clamp(start.w, 0, 15))].inverse_mass;
    bool lost = start.x == SIM_LOST || fixed_is_lost(way);
    ivec3 p = lost ? params.fixed_min.xyz : start.xyz + fixed_step(way);
    if (lost) {
        weight = -1.0;
        atomicAdd(status.non_finite, 1u);
    } else {
        p = project(i, start.xyz, p);
        if (outside_open_side(p)) {
            weight = -1.0;
            atomicAdd(status.escaped, 1u);
        } else if (in_sink(fixed_metres(p))) {
            weight = -1.0;
            atomicAdd(status.sunk, 1u);
        }
    }
    predictions[i] = ivec4(p, floatBitsToInt(weight));
}
