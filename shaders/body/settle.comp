// One invocation a body: the substep is complete. A body that has left the finite numbers rests from then on
// where it was; one that has long been slow, and that nothing stirs, sleeps where it was.
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
READ_OWN(body_iterates);
READ_ANY(body_sums);
UPDATE_OWN(body_pushes);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"

bool is_lost(body_state at)
{
    bool turns = !any(not_finite(at.rotation.xyz)) && !any(not_finite(at.spin.xyz));
    return any(not_finite(at.position.xyz)) || any(not_finite(at.velocity.xyz)) || !turns;
}

bool is_slow(uint i, body_state at)
{
    vec3 turning = turn_by_inertia(i, at.rotation, at.spin.xyz) * bodies[i].inertia.w;
    float limit = BODY_SLEEP_SPEED * BODY_SLEEP_SPEED * params.spacing * length(params.gravity.xyz);
    return dot(at.velocity.xyz, at.velocity.xyz) + dot(turning, turning) < limit;
}

body_state at_rest(body_state at)
{
    at.velocity.xyz = at.spin.xyz = vec3(0.0);
    return at;
}

// The substep's share of the mean over the frame, of which it may be the first, and the fastest that was cut.
void add_push(uint i)
{
    body_push push = body_pushes[i];
    float share = 1.0 / (status.dt * status.dt * float(status.substeps));
    if (status.substep == 0u) push.force = push.torque = vec4(0.0);
    vec3 force = push.force.xyz + share * push.impulse.xyz;
    body_pushes[i].force = vec4(force, max(push.force.w, push.impulse.w));
    body_pushes[i].torque = push.torque + share * push.moment;
}

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= wall_bodies());
    body_state at = body_iterates[i];
    bool quiet = body_sums[i * BODY_SUM_WORDS + BODY_SUM_TOUCHED] == BODY_HELD;
    if (is_lost(at)) {
        at = at_rest(body_states[i]);
        at.position.w = 1.0;
    } else if (at.spin.w != 0.0 && !quiet) {
        at.velocity.w = at.spin.w = 0.0;
    } else if (at.spin.w == 0.0) {
        at.velocity.w = is_slow(i, at) ? at.velocity.w + status.dt : 0.0;
        if (quiet && at.velocity.w >= BODY_SLEEP_S) {
            float slow_s = at.velocity.w;
            at = at_rest(body_states[i]);
            at.velocity.w = slow_s;
            at.spin.w = 1.0;
        }
    }
    body_states[i] = at;
    add_push(i);
}
