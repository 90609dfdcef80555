// Adds the impulse that fluid has given each body since the body last moved to the fluid impulse of the
// substep, before contacts add to the same sums. One invocation per body.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(body_impulse_sums);
UPDATE_OWN(body_fluid_impulses);
#include "body/impulse_sum.glsl"

void main()
{
    uint i = invocation_index(), at = i * BODY_IMPULSE_WORDS, bodies = params.sink_first - params.solid_count;
    RETURN_IF_SOLVED(i >= bodies);
    body_fluid_impulses[i].impulse.xyz += read_body_impulse(at);
    body_fluid_impulses[i].angular_impulse.xyz += read_body_impulse(at + 6u) * params.spacing;
}
