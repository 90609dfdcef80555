// Appends the particles that emitters release in the running substep; one invocation per new particle. An
// emission is one layer of a lattice, which has moved on since its release. Until the next layer supports
// it, the emitter leads it: it moves at the emitter's velocity, and nothing pushes it back towards the
// opening. The w of a velocity is the time for which its particle is still led, s.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_ANY(positions);
WRITE_ANY(velocities);
READ_ANY(emissions);
READ_ANY(emitters);
READ_ANY(emitter_sites);
WRITE_ANY(ids);
WRITE_ANY(clearances);
WRITE_ANY(velocity_gradients);

void main()
{
    uint k = invocation_index();
    if (state.flags != 0u || status.running == 0u || k >= status.emitted_count) return;
    uint base = emissions[status.first_emission].particles_before;
    uint e = status.first_emission, last = status.last_emission;
    for (uint next = e + 1u; next < last; next++)
        if (emissions[next].particles_before - base <= k) e = next;
    uint site = k - (emissions[e].particles_before - base);
    sim_emitter emitter = emitters[emissions[e].emitter];
    vec2 at = emitter_sites[uint(emitter.up.w) + site];
    // Time since the release, s, at the start of the substep; negative before the release.
    float age = float(pass.outer) * status.dt - emissions[e].time;
    vec3 p = emitter.corner.xyz + emitter.across.xyz * at.x + emitter.up.xyz * at.y +
             emitter.velocity.xyz * age;
    uint i = status.count + k;
    positions[i] = ivec4(fixed_from_metres(p), int(emitter.corner.w));
    velocities[i] = vec4(emitter.velocity.xyz, max(emissions[e].lead - age, 0.0));
    ids[i] = emissions[e].first_id + site;
    if (HAS_SOLIDS) clearances[i] = 0.0; // unknown: 0 makes the next pass query the solids
    if (APIC)
        for (uint k = 0u; k < 3u; k++) velocity_gradients[3u * i + k] = vec4(0.0);
}
