// One invocation a body: moves and turns it by the impulses of the fluid and of its contacts, and forgets
// them.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
ATOMIC(status);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
UPDATE_ANY(poses);
READ_ANY(bodies);
UPDATE_OWN(body_iterates);
UPDATE_ANY(body_sums);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/pose.glsl"
#include "body/inertia.glsl"

void main()
{
    uint i = row_index(), at = i * BODY_SUM_WORDS;
    RETURN_IF_SOLVED(i >= wall_bodies());
    vec3 impulse = impulse_read(at), moment = impulse_read(at + 6u) * params.spacing;
    for (uint k = 0u; k <= BODY_SUM_CONTACTS; k++) body_sums[at + k] = 0u;
    body_state body = body_iterates[i];
    bool stirred = (body_sums[at + BODY_SUM_TOUCHED] & BODY_STIRRED) != 0u;
    if (body.position.w != 0.0 || (body.spin.w != 0.0 && !stirred)) return;
    vec3 moved = impulse * bodies[i].centre.w, turn = turn_by_inertia(i, body.rotation, moment);
    bool whole = row.constant == BODY_SHIFT_WHOLE;
    float far = whole ? length(turn) : length(moved) + length(turn) * bodies[i].inertia.w;
    float most = whole ? BODY_TURN_MOST : params.correction_cap;
    if (far > most) {
        float kept = most / far;
        moved *= kept;
        turn *= kept;
        moment *= kept;
        atomicAdd(status.correction_caps, 1u);
    }
    body.position.xyz += moved;
    body.velocity.xyz += moved / status.dt;
    body.rotation = turned(body.rotation, turn);
    body.spin.xyz += moment / status.dt;
    body.spin.w = 0.0;
    body_iterates[i] = body;
    place_at_end(i, body);
}
