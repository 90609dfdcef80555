// Moves every particle to its place in the sorted order.
// Reads sources, b, x, ids; writes a, start, sorted ids.
#version 460
#include "sim.glsl"

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_SOURCES) readonly buffer sources_block { uint sources[]; };
layout(std430, binding = SIM_BIND_B) readonly buffer b_block { ivec4 b[]; };
layout(std430, binding = SIM_BIND_X) readonly buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_IDS) readonly buffer ids_block { uint ids[]; };
layout(std430, binding = SIM_BIND_A) writeonly buffer a_block { ivec4 a[]; };
layout(std430, binding = SIM_BIND_START) writeonly buffer start_block { ivec4 start[]; };
layout(std430, binding = SIM_BIND_SORTED_IDS) writeonly buffer sorted_block { uint sorted_ids[]; };

void main()
{
    uint i = row_index();
    if (i >= state.live) return;
    uint from = sources[i];
    a[i] = b[from];
    start[i] = x[from];
    sorted_ids[i] = ids[from];
}
