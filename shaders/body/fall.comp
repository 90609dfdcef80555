// One invocation a body: its state at the end of a substep without contacts. Angular momentum is kept, and
// the body turns at the rate that it has in the middle of the substep.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

BLOCK(state);
ATOMIC(status);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
SCATTER_UPDATE(poses);
GATHER(bodies);
OWN_READ(body_states);
OWN_WRITE(body_iterates);
SCATTER(body_sums);
OWN_UPDATE(body_pushes);
#include "shape.glsl"
#include "wall.glsl"
#include "predict.glsl"
#include "place.glsl"
#include "turn.glsl"

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
    if (i >= wall_bodies() || state.flags != 0u || status.running == 0u) return;
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
