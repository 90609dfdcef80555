// Copies one element of 16 bytes per invocation.
#version 460
#define WORKGROUP 128
#define BIND(name) BIND_##name
#include "bindings/dispatch.glsl"

#define BIND_from WEIR_ARRAY(0, uvec4)
#define BIND_to WEIR_ARRAY(1, uvec4)
READ_OWN(from);
WRITE_OWN(to);

void main()
{
    uint i = invocation_index();
    to[i] = from[i];
}
