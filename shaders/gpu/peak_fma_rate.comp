// Measures the rate of arithmetic in registers: eight chains of four-component multiply-adds, 64 repetitions,
// so 4096 operations per invocation.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 256
#include "bindings/dispatch.glsl"

#define BIND_sums WEIR_ARRAY(0, vec4)
WRITE_OWN(sums);

void main()
{
    uint i = invocation_index();
    vec4 x = vec4(1.0e-6 * float(i & 1023u)), m = vec4(0.999), n = vec4(0.001);
    vec4 a = x, b = x + 0.1, c = x + 0.2, d = x + 0.3, e = x + 0.4, f = x + 0.5, g = x + 0.6, h = x + 0.7;
    for (uint k = 0u; k < 64u; k++) {
        a = fma(a, m, n), b = fma(b, m, n), c = fma(c, m, n), d = fma(d, m, n);
        e = fma(e, m, n), f = fma(f, m, n), g = fma(g, m, n), h = fma(h, m, n);
    }
    sums[i] = a + b + c + d + e + f + g + h;
}
