// Measures the bandwidth of caches: fetches 16-byte elements near the invocation's own from a table that fits
// in them, as a pass over neighbours does; 64 per invocation, four at a time.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 256
#include "bindings/dispatch.glsl"

#define BIND_table WEIR_ARRAY(0, vec4)
#define BIND_sums WEIR_ARRAY(1, vec4)
READ_TEXELS(table);
WRITE_OWN(sums);

void main()
{
    uint i = invocation_index(), last = pass.constant - 1u;
    vec4 a = vec4(0.0), b = a, c = a, d = a;
    for (uint k = 0u; k < 16u; k++) {
        uint at = i + k * 67u;
        a += TEXEL(table, at & last);
        b += TEXEL(table, (at + 1u) & last);
        c += TEXEL(table, (at + 33u) & last);
        d += TEXEL(table, (at + 34u) & last);
    }
    sums[i] = a + b + c + d;
}
