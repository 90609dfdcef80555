// One invocation a body: its state at the end of a substep without contacts. Angular momentum is kept, and
// the body turns at the rate that it has in the middle of the substep.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
ATOMIC(status);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
UPDATE_ANY(poses);
READ_ANY(bodies);
READ_OWN(body_states);
WRITE_OWN(body_iterates);
WRITE_ANY(body_sums);
UPDATE_OWN(body_pushes);
#include "boundary/boundary.glsl"
#include "particles/external_forces.glsl"
#include "body/pose.glsl"
#include "body/inertia.glsl"

// Twice the energy of turning, J.
float turning(uint i, body_state at)
{
    return dot(at.spin.xyz, turn_by_inertia(i, at.rotation, at.spin.xyz));
}

// Nothing turns it here, so that its energy may not grow: where the step is too long for its rate, it would.
bool hold_energy(uint i, float before, inout body_state at)
{
    float after = turning(i, at);
    bool grows = after > (1.0 + BODY_TURN_GAIN) * before;
    if (grows) at.spin.xyz *= sqrt(before / after);
    return grows;
}

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= wall_bodies());
    body_state at = body_states[i];
    bool fast, spins;
    float cut = 0.0; // m/s
    place_at_start(i, at);
    if (!body_rests(at)) {
        vec3 free = predict_free(at.position.xyz, at.velocity.xyz);
        at.velocity.xyz = predict_cut(free, fast);
        if (fast) cut = length(free);
        at.position.xyz += at.velocity.xyz * status.dt;
        float energy = turning(i, at);
        at.rotation = turned(at.rotation, turn_in(i, at.rotation, at.spin.xyz, status.dt, spins));
        spins = hold_energy(i, energy, at) || spins;
        if (fast || spins) atomicAdd(status.speed_caps, 1u);
    }
    body_iterates[i] = at;
    place_at_end(i, at);
    for (uint k = 0u; k < BODY_SUM_WORDS; k++) body_sums[i * BODY_SUM_WORDS + k] = 0u;
    body_pushes[i].impulse = vec4(vec3(0.0), cut);
    body_pushes[i].moment = vec4(0.0);
}
