// Does no work: measures a dispatch and the barrier that its declarations require.
#version 460
#define BIND(name) BIND_##name
#define WORKGROUP 1
#include "bindings/dispatch.glsl"

#define BIND_word WEIR_ARRAY(0, uint)
REDUCTION(word);

void main()
{
    if (pass.constant != 0u) word[0] = 0u;
}
