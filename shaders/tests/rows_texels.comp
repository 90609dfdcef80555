// Reads through a texel buffer where the device prefers that.
#version 460
#define BIND(name) BIND_##name
#include "row.glsl"

#define BIND_from WEIR_ARRAY(0, vec4)
#define BIND_to WEIR_ARRAY(1, uint)
FETCH(from);
OWN_WRITE(to);

void main()
{
    uint i = row_index();
    if (i < uint(to.length())) to[i] = uint(FETCHED(from, i).x);
}
