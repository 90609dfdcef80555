// Sorts the particles of every bin by position in the bin, then by index; one invocation per particle. Sums
// then run in one order, which depends neither on the timing of the counters nor, for particles at distinct
// positions, on the caller's order. A bin with more than MESH_BIN_MAX particles is reported to the host.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
ATOMIC(state);
READ_ANY(keys);
READ_ANY(bins);
READ_ANY(entries);
WRITE_ANY(sort_sources);

bool before(uvec2 a, uvec2 b) { return a.y < b.y || (a.y == b.y && a.x < b.x); }

void main()
{
    uint t = invocation_index();
    if (t >= params.particle_count || state.block_count == 0u) return;
    uvec2 mine = entries[t];
    uint key = keys[mine.x];
    uint first = bins[key], last = bins[key + 1u];
    if (last - first > MESH_BIN_MAX) {
        atomicMax(state.high[3], last - first); // the host then rejects the frame
        sort_sources[t] = mine.x;
        return;
    }
    uint at = first;
    for (uint k = first; k < last; k++) at += before(entries[k], mine) ? 1u : 0u;
    sort_sources[at] = mine.x;
}
