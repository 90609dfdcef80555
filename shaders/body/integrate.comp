// Integrates each body over a substep without contacts; one invocation per body. Angular momentum is
// conserved; the body rotates at its angular velocity in the middle of the substep.
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
WRITE_OWN(body_iterated_states);
WRITE_ANY(body_impulse_sums);
UPDATE_OWN(body_fluid_impulses);
#include "boundary/boundary.glsl"
#include "particles/external_forces.glsl"
#include "body/pose.glsl"
#include "body/inertia.glsl"

// Returns twice the rotational energy, J.
float doubled_spin_energy(uint i, body_state at)
{
    return dot(at.angular_momentum.xyz, inverse_inertia_times(i, at.rotation, at.angular_momentum.xyz));
}

// Limits the rotational energy to that before the step. No torque acts here, so it may not grow, as it would
// if the substep were too long for the rate. Returns whether it was limited.
bool limit_spin_energy(uint i, float before, inout body_state at)
{
    float after = doubled_spin_energy(i, at);
    bool grows = after > (1.0 + BODY_MAX_SPIN_ENERGY_GAIN) * before;
    if (grows) at.angular_momentum.xyz *= sqrt(before / after);
    return grows;
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= boundary_body_count());
    body_state at = body_states[i];
    bool fast, spins;
    float cut = 0.0; // m/s, speed before the cap
    set_body_start_pose(i, at);
    if (!body_is_at_rest(at)) {
        vec3 free = apply_forces(at.position.xyz, at.velocity.xyz);
        at.velocity.xyz = cap_speed(free, fast);
        if (fast) cut = length(free);
        at.position.xyz += at.velocity.xyz * status.dt;
        float energy = doubled_spin_energy(i, at);
        at.rotation = rotate_quat_by(
            at.rotation, free_rotation(i, at.rotation, at.angular_momentum.xyz, status.dt, spins));
        spins = limit_spin_energy(i, energy, at) || spins;
        if (fast || spins) atomicAdd(status.clamped_speeds, 1u);
    }
    body_iterated_states[i] = at;
    set_body_end_pose(i, at);
    for (uint k = 0u; k < BODY_IMPULSE_WORDS; k++) body_impulse_sums[i * BODY_IMPULSE_WORDS + k] = 0u;
    body_fluid_impulses[i].impulse = vec4(vec3(0.0), cut);
    body_fluid_impulses[i].angular_impulse = vec4(0.0);
}
