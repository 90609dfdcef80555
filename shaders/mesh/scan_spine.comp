// Scan, second of three: one workgroup turns the tile sums into their exclusive prefix.
// Reads and writes sums. row.constant: elements.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_SUMS) buffer sums_block { uint sums[]; };

shared uint parts[MESH_SCAN_WORKGROUP];

void main()
{
    uint n = row.constant;
    uint tiles = (n + MESH_SCAN_TILE - 1u) / MESH_SCAN_TILE;
    uint lane = gl_LocalInvocationIndex;
    uint each = (tiles + MESH_SCAN_WORKGROUP - 1u) / MESH_SCAN_WORKGROUP;
    uint first = min(lane * each, tiles), last = min(first + each, tiles);
    uint sum = 0u;
    for (uint k = first; k < last; k++) sum += sums[k];
    parts[lane] = sum;
    barrier();
    uint before = 0u;
    for (uint k = 0u; k < lane; k++) before += parts[k];
    for (uint k = first; k < last; k++) {
        uint value = sums[k];
        sums[k] = before;
        before += value;
    }
}
