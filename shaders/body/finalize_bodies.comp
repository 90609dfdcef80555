// Completes a substep for each body; one invocation per body. A body with a non-finite state is frozen at its
// last finite pose. A body that has been slow for long enough, and that nothing wakes, is put to sleep at its
// pose before the substep.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(poses);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_ANY(bodies);
UPDATE_OWN(body_states);
READ_OWN(body_iterated_states);
READ_ANY(body_impulse_sums);
UPDATE_OWN(body_fluid_impulses);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"

bool has_non_finite_state(body_state at)
{
    bool turns = !any(not_finite(at.rotation.xyz)) && !any(not_finite(at.angular_momentum.xyz));
    return any(not_finite(at.position.xyz)) || any(not_finite(at.velocity.xyz)) || !turns;
}

bool is_slow(uint i, body_state at)
{
    vec3 turning = inverse_inertia_times(i, at.rotation, at.angular_momentum.xyz) * bodies[i].inertia.w;
    float limit = BODY_SLEEP_SPEED * BODY_SLEEP_SPEED * params.spacing * length(params.gravity.xyz);
    return dot(at.velocity.xyz, at.velocity.xyz) + dot(turning, turning) < limit;
}

body_state stopped_state(body_state at)
{
    at.velocity.xyz = at.angular_momentum.xyz = vec3(0.0);
    return at;
}

// Adds the substep's part to the frame's mean force and torque, which the first substep clears, and keeps the
// maximum of the speeds that were capped.
void accumulate_mean_force(uint i)
{
    body_fluid_impulse push = body_fluid_impulses[i];
    float share = 1.0 / (status.dt * status.dt * float(status.substeps));
    if (status.substep == 0u) push.force = push.torque = vec4(0.0);
    vec3 force = push.force.xyz + share * push.impulse.xyz;
    body_fluid_impulses[i].force = vec4(force, max(push.force.w, push.impulse.w));
    body_fluid_impulses[i].torque = push.torque + share * push.angular_impulse;
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= boundary_body_count());
    body_state at = body_iterated_states[i];
    bool quiet = body_impulse_sums[i * BODY_IMPULSE_WORDS + BODY_IMPULSE_FLAGS] == BODY_SUPPORTED;
    if (has_non_finite_state(at)) {
        at = stopped_state(body_states[i]);
        at.position.w = 1.0;
    } else if (at.angular_momentum.w != 0.0 && !quiet) {
        at.velocity.w = at.angular_momentum.w = 0.0;
    } else if (at.angular_momentum.w == 0.0) {
        at.velocity.w = is_slow(i, at) ? at.velocity.w + status.dt : 0.0;
        if (quiet && at.velocity.w >= BODY_SLEEP_S) {
            float slow_s = at.velocity.w;
            at = stopped_state(body_states[i]);
            at.velocity.w = slow_s;
            at.angular_momentum.w = 1.0;
        }
    }
    body_states[i] = at;
    accumulate_mean_force(i);
}
