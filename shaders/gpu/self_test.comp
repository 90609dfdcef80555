// Computes a small result of each kind that the engine relies on, which the host knows in advance
// (src/gpu/device/self_test.c): integers, an exchange within a workgroup, floats, and a count by atomics. One
// invocation per seed.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 64
#include "bindings/dispatch.glsl"

#define BIND_seeds WEIR_ARRAY(0, uint)
#define BIND_found WEIR_ARRAY(1, uvec4)
#define BIND_counters WEIR_ARRAY(2, uint)
READ_OWN(seeds);
WRITE_OWN(found);
ATOMIC(counters);

shared uint lanes[WORKGROUP];

void main()
{
    uint i = invocation_index(), lane = gl_LocalInvocationIndex;
    uint word = seeds[i] * 2654435761u ^ i;
    lanes[lane] = word;
    barrier();
    uint other = lanes[(lane + 17u) % WORKGROUP];
    float x = 1.0 + float(other >> 8) / 16777216.0, sum = 0.0;
    for (uint k = 1u; k <= 8u; k++) sum += inversesqrt(x * float(k));
    atomicAdd(counters[word & 7u], other & 255u);
    found[i] = uvec4(word, other, floatBitsToUint(sum), floatBitsToUint(x / 3.0));
}
