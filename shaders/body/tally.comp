// One invocation a body: adds what fluid has given it since it last moved to what the substep's fluid gives,
// before contacts add to the same sums.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(body_sums);
UPDATE_OWN(body_pushes);
#include "body/impulse_sum.glsl"

void main()
{
    uint i = row_index(), at = i * BODY_SUM_WORDS, bodies = params.sink_first - params.solid_count;
    RETURN_IF_SOLVED(i >= bodies);
    body_pushes[i].impulse.xyz += impulse_read(at);
    body_pushes[i].moment.xyz += impulse_read(at + 6u) * params.spacing;
}
