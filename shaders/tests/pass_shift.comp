// Computes to[i] = from[i + 1] + 1, cyclically: a pass that must see everything that the previous pass wrote.
// One invocation per element.
#version 460
#define BIND(name) BIND_##name
#include "bindings/dispatch.glsl"

#define BIND_from WEIR_ARRAY(0, uint)
#define BIND_to WEIR_ARRAY(1, uint)
READ_ANY(from);
WRITE_OWN(to);

void main()
{
    uint i = invocation_index(), n = uint(to.length());
    if (i < n) to[i] = from[(i + 1u) % n] + 1u;
}
