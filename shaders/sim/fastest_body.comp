// One invocation a body: an adaptive frame takes the substeps that its fastest point wants, too. A body meets
// what is thin only where it ends a substep, so it moves at most BODY_CFL spacings in one, whatever `cfl` is.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_iterates);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= wall_bodies());
    body_state at = body_iterates[i];
    vec3 turning = turn_by_inertia(i, at.rotation, at.spin.xyz) * bodies[i].inertia.w;
    float fall = length(params.gravity.xyz) * params.frame_dt; // frame_begin.comp adds it
    float speed = length(at.velocity.xyz) + length(turning);
    float as_fluid = (speed + fall) * max(params.cfl / BODY_CFL, 1.0) - fall;
    if (!not_finite(as_fluid)) atomicMax(status.speed_bits, floatBitsToUint(max(as_fluid, 0.0)));
}
