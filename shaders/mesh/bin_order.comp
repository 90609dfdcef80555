// Mends the order inside every bin: by place, then by the caller's order. Sums then run in one order
// whatever the timing of the counters was, and whatever order the caller's particles had.
// Reads keys, bins (scanned), slots; writes sources (the particle that stands at each place).
// A bin with more particles than a loop may turn is told to the host.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_PARAMS) readonly buffer params_block { mesh_params params; };
layout(std430, binding = MESH_BIND_STATE) buffer state_block { mesh_state state; };
layout(std430, binding = MESH_BIND_KEYS) readonly buffer keys_block { uint keys[]; };
layout(std430, binding = MESH_BIND_BINS) readonly buffer bins_block { uint bins[]; };
layout(std430, binding = MESH_BIND_SLOTS) readonly buffer slots_block { uvec2 slots[]; };
layout(std430, binding = MESH_BIND_SOURCES) writeonly buffer sources_block { uint sources[]; };

bool before(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

void main()
{
    uint t = row_index();
    if (t >= params.particle_count) return;
    uvec2 mine = slots[t];
    uint key = keys[mine.x];
    uint first = bins[key], last = bins[key + 1u];
    if (last - first > MESH_BIN_MOST) {
        atomicMax(state.high[3], last - first); // the host gives the frame up
        sources[t] = mine.x;
        return;
    }
    uint place = first;
    for (uint k = first; k < last; k++) place += before(slots[k], mine) ? 1u : 0u;
    sources[place] = mine.x;
}
