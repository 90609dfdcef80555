// Moves and rotates each body by the accumulated impulses of fluid and contacts, then clears them. One
// invocation per body.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
ATOMIC(status);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
UPDATE_ANY(poses);
READ_ANY(bodies);
UPDATE_OWN(body_iterated_states);
UPDATE_ANY(body_impulse_sums);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/pose.glsl"
#include "body/inertia.glsl"

void main()
{
    uint i = invocation_index(), at = i * BODY_IMPULSE_WORDS;
    RETURN_IF_SOLVED(i >= boundary_body_count());
    vec3 impulse = read_body_impulse(at), moment = read_body_impulse(at + 6u) * params.spacing;
    for (uint k = 0u; k <= BODY_IMPULSE_CONTACTS; k++) body_impulse_sums[at + k] = 0u;
    body_state body = body_iterated_states[i];
    bool stirred = (body_impulse_sums[at + BODY_IMPULSE_FLAGS] & BODY_WOKEN) != 0u;
    if (body.position.w != 0.0 || (body.angular_momentum.w != 0.0 && !stirred)) return;
    vec3 moved = impulse * bodies[i].centre.w, turn = inverse_inertia_times(i, body.rotation, moment);
    bool whole = pass.constant == BODY_APPLY_FULL;
    float far = whole ? length(turn) : length(moved) + length(turn) * bodies[i].inertia.w;
    float most = whole ? BODY_MAX_ROTATION : params.max_correction;
    if (far > most) {
        float kept = most / far;
        moved *= kept;
        turn *= kept;
        moment *= kept;
        atomicAdd(status.clamped_corrections, 1u);
    }
    body.position.xyz += moved;
    body.velocity.xyz += moved / status.dt;
    body.rotation = rotate_quat_by(body.rotation, turn);
    body.angular_momentum.xyz += moment / status.dt;
    body.angular_momentum.w = 0.0;
    body_iterated_states[i] = body;
    set_body_end_pose(i, body);
}
