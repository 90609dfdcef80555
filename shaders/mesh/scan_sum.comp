// Scan, first of three: the sum of every tile of MESH_SCAN_TILE elements.
// Reads data, writes sums. row.constant: elements.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_DATA) readonly buffer data_block { uint data[]; };
layout(std430, binding = MESH_BIND_SUMS) writeonly buffer sums_block { uint sums[]; };

shared uint total;

void main()
{
    uint n = row.constant;
    uint first = row_index() * MESH_SCAN_EACH;
    uint last = min(first + MESH_SCAN_EACH, n);
    uint sum = 0u;
    for (uint k = first; k < last; k++) sum += data[k];
    if (gl_LocalInvocationIndex == 0u) total = 0u;
    barrier();
    atomicAdd(total, sum);
    barrier();
    if (gl_LocalInvocationIndex == 0u && first < n)
        sums[row_index() / gl_WorkGroupSize.x] = total;
}
