// The velocity that the corrections amount to (Macklin and Mueller 2013, algorithm 1, line 21): the
// predicted one and what the solver and the walls have moved since. The way from the start over the
// substep would be the same, but for the rounding of gravity's share to a unit of places.
// Reads sources, v (in the order before the sort), start, a; writes x (xyz velocity, w viscosity).
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_SOURCES) readonly buffer sources_block { uint sources[]; };
layout(std430, binding = SIM_BIND_V) readonly buffer v_block { vec4 v[]; };
layout(std430, binding = SIM_BIND_A) readonly buffer a_block { ivec4 a[]; };
layout(std430, binding = SIM_BIND_START) readonly buffer start_block { ivec4 start[]; };
layout(std430, binding = SIM_BIND_X) writeonly buffer x_block { vec4 x[]; };
#include "predict.glsl"

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u) return;
    bool capped;
    ivec4 from = start[i];
    ivec3 to = a[i].xyz;
    vec3 velocity = predict_velocity(place_metres(from.xyz), v[sources[i]].xyz, capped);
    velocity += place_way(to, from.xyz + place_step(velocity * status.dt)) / status.dt;
    if (to.x == SIM_LOST) velocity = vec3(uintBitsToFloat(0x7fc00000u));
    x[i] = vec4(velocity, params.fluids[from.w].viscosity);
}
