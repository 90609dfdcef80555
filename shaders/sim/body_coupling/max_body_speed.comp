// Raises the maximum speed of an adaptive frame to that of each body's fastest point; one invocation per
// body. A body collides with thin objects only where it ends a substep, so it moves at most BODY_CFL spacings
// per substep, whatever `cfl` is.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_iterated_states);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= boundary_body_count());
    body_state at = body_iterated_states[i];
    vec3 turning = inverse_inertia_times(i, at.rotation, at.angular_momentum.xyz) * bodies[i].inertia.w;
    float fall = length(params.gravity.xyz) * params.frame_dt; // choose_substep_count.comp adds it
    float speed = length(at.velocity.xyz) + length(turning);
    float as_fluid = (speed + fall) * max(params.cfl / BODY_CFL, 1.0) - fall;
    if (!not_finite(as_fluid)) atomicMax(status.max_speed_bits, floatBitsToUint(max(as_fluid, 0.0)));
}
