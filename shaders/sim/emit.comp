// Adds the particles of the running substep's emissions after the others. An emission is a layer of a lattice
// that has moved on since the moment of its release.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
WRITE_ANY(positions);
WRITE_ANY(velocities);
READ_ANY(emissions);
READ_ANY(emitters);
READ_ANY(sites);
WRITE_ANY(ids);
WRITE_ANY(clearances);
WRITE_ANY(affine);

void main()
{
    uint k = row_index();
    if (state.flags != 0u || status.running == 0u || k >= status.emit_count) return;
    uint base = emissions[status.emit_first].particles_before;
    uint e = status.emit_first, last = status.emit_last;
    for (uint next = e + 1u; next < last; next++)
        if (emissions[next].particles_before - base <= k) e = next;
    uint site = k - (emissions[e].particles_before - base);
    sim_emitter emitter = emitters[emissions[e].emitter];
    vec2 at = sites[uint(emitter.up.w) + site];
    // Time since the release, s, at the start of the substep; below 0 before it.
    float age = float(row.outer) * status.dt - emissions[e].time;
    vec3 p = emitter.corner.xyz + emitter.across.xyz * at.x + emitter.up.xyz * at.y +
             emitter.velocity.xyz * age;
    uint i = status.count + k;
    positions[i] = ivec4(fixed_of(p), int(emitter.corner.w));
    velocities[i] = vec4(emitter.velocity.xyz, 0.0);
    ids[i] = emissions[e].first_id + site;
    if (HAS_SOLIDS) clearances[i] = 0.0; // unknown: solids are looked at
    if (AFFINE)
        for (uint k = 0u; k < 3u; k++) affine[3u * i + k] = vec4(0.0);
}
