// Computes the bounding box of the particles; MESH_BOUNDS_PER_INVOCATION particles per invocation. Minimum
// and maximum are taken of words that sort as the numbers do, so the result does not depend on timing. Counts
// non-finite positions.
#version 460
#include "bindings/mesh.glsl"

BLOCK(params);
ATOMIC(state);
READ_TEXELS(positions);

uint encode_ordered(float value)
{
    uint bits = floatBitsToUint(value);
    return bits ^ ((bits >> 31) != 0u ? 0xffffffffu : 0x80000000u);
}

void main()
{
    uint first = invocation_index() * MESH_BOUNDS_PER_INVOCATION;
    uint last = min(first + MESH_BOUNDS_PER_INVOCATION, params.particle_count);
    if (first >= last) return;
    vec3 low = vec3(3.0e38), high = vec3(-3.0e38);
    uint strange = 0u;
    for (uint i = first; i < last; i++) {
        vec3 p = TEXEL(positions, i).xyz;
        bool finite = all(lessThan(abs(p), vec3(3.0e38)));
        strange += finite ? 0u : 1u;
        low = finite ? min(low, p) : low;
        high = finite ? max(high, p) : high;
    }
    for (uint axis = 0u; axis < 3u; axis++) {
        atomicMax(state.low[axis], ~encode_ordered(low[axis]));
        atomicMax(state.high[axis], encode_ordered(high[axis]));
    }
    if (strange != 0u) atomicAdd(state.low[3], strange);
}
