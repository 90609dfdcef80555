// One invocation a body: adds what fluid has given it since it last moved to what the substep's fluid gives,
// before contacts add to the same sums.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

BLOCK(state);
BLOCK(status);
GATHER(body_sums);
OWN_UPDATE(body_pushes);
#include "impulse_read.glsl"

void main()
{
    uint i = row_index(), at = i * BODY_SUM_WORDS, bodies = params.sink_first - params.solid_count;
    if (i >= bodies || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    body_pushes[i].impulse.xyz += impulse_read(at);
    body_pushes[i].moment.xyz += impulse_read(at + 6u) * params.spacing;
}
