// Moves every particle to its place in the sorted order.
// Reads sources, b, x, ids, away; writes a, start, sorted ids, sorted away.
#version 460
#include "sim.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_SOURCES) readonly buffer sources_block { uint sources[]; };
layout(std430, binding = SIM_BIND_B) readonly buffer b_block { ivec4 b[]; };
layout(std430, binding = SIM_BIND_X) readonly buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_IDS) readonly buffer ids_block { uint ids[]; };
layout(std430, binding = SIM_BIND_A) writeonly buffer a_block { ivec4 a[]; };
layout(std430, binding = SIM_BIND_START) writeonly buffer start_block { ivec4 start[]; };
layout(std430, binding = SIM_BIND_SORTED_IDS) writeonly buffer sorted_block { uint sorted_ids[]; };
layout(std430, binding = SIM_BIND_AWAY) readonly buffer away_block { float away[]; };
layout(std430, binding = SIM_BIND_SORTED_AWAY) writeonly buffer sorted_away_block { float sorted_away[]; };

void main()
{
    uint i = row_index();
    if (i >= state.live) return;
    uint from = sources[i];
    a[i] = b[from];
    start[i] = x[from];
    sorted_ids[i] = ids[from];
    if (HAS_SOLIDS) sorted_away[i] = away[from];
}
