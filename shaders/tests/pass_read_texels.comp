// Reads through a texel buffer if the device prefers that; one invocation per element.
#version 460
#define BIND(name) BIND_##name
#include "bindings/dispatch.glsl"

#define BIND_from WEIR_ARRAY(0, vec4)
#define BIND_to WEIR_ARRAY(1, uint)
READ_TEXELS(from);
WRITE_OWN(to);

void main()
{
    uint i = invocation_index();
    if (i < uint(to.length())) to[i] = uint(TEXEL(from, i).x);
}
