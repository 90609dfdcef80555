// The velocity that the corrections amount to (Macklin and Mueller 2013, algorithm 1, line 21): the
// predicted one and what the solver and the walls have moved since. The way from the start over the
// substep would be the same, but for the rounding of gravity's share to a unit of places.
// Reads sources, v (in the order before the sort), start, a, sorted away; writes x (xyz velocity, w
// viscosity) and away (less what the solver has moved).
#version 460
#include "sim.glsl"

layout(constant_id = 1) const bool STEADY = false; // as in predict.comp

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_SOURCES) readonly buffer sources_block { uint sources[]; };
layout(std430, binding = SIM_BIND_V) readonly buffer v_block { vec4 v[]; };
layout(std430, binding = SIM_BIND_A) readonly buffer a_block { ivec4 a[]; };
layout(std430, binding = SIM_BIND_START) readonly buffer start_block { ivec4 start[]; };
layout(std430, binding = SIM_BIND_X) writeonly buffer x_block { vec4 x[]; };
layout(std430, binding = SIM_BIND_SORTED_AWAY) readonly buffer sorted_away_block { float sorted_away[]; };
layout(std430, binding = SIM_BIND_AWAY) writeonly buffer away_block { float away[]; };
#include "predict.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    bool capped;
    ivec4 from = start[i];
    ivec3 to = a[i].xyz;
    vec3 velocity = predict_velocity(place_metres(from.xyz), v[sources[i]].xyz, capped);
    vec3 moved = place_way(to, from.xyz + place_step(velocity * status.dt)); // since the prediction
    velocity += moved / status.dt;
    if (to.x == SIM_LOST) velocity = vec3(uintBitsToFloat(0x7fc00000u));
    x[i] = vec4(velocity, params.fluids[from.w].viscosity);
    if (STEADY) away[i] = sorted_away[i] - SIM_SOLID_SLOPE * length(moved);
}
