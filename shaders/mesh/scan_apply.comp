// Scan, last of three: every element becomes the sum of all before it, in place.
// Reads sums, reads and writes data. row.constant: elements.
#version 460
#include "row.glsl"
#include "mesh.glsl"

layout(std430, binding = MESH_BIND_DATA) buffer data_block { uint data[]; };
layout(std430, binding = MESH_BIND_SUMS) readonly buffer sums_block { uint sums[]; };

shared uint parts[MESH_SCAN_WORKGROUP];

void main()
{
    uint n = row.constant;
    uint lane = gl_LocalInvocationIndex;
    uint first = row_index() * MESH_SCAN_EACH;
    uint last = min(first + MESH_SCAN_EACH, n);
    uint sum = 0u;
    for (uint k = first; k < last; k++) sum += data[k];
    parts[lane] = sum;
    barrier();
    // Hillis and Steele 1986: log2(256) steps over one value per invocation.
    for (uint step = 1u; step < MESH_SCAN_WORKGROUP; step <<= 1) {
        uint other = lane >= step ? parts[lane - step] : 0u;
        barrier();
        parts[lane] += other;
        barrier();
    }
    if (first >= n) return;
    uint before = sums[row_index() / gl_WorkGroupSize.x] + parts[lane] - sum;
    for (uint k = first; k < last; k++) {
        uint value = data[k];
        data[k] = before;
        before += value;
    }
}
