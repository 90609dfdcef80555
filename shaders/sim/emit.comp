// Adds the particles of the running substep's emissions behind the others, as layers of a lattice that
// have moved on since the moment of their release.
// Reads emissions, emitters, sites; writes x, v, ids, away (nothing is known of the solids).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
SCATTER(positions);
SCATTER(velocities);
GATHER(emissions);
GATHER(emitters);
GATHER(sites);
SCATTER(ids);
SCATTER(clearances);

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
    vec2 place = sites[uint(emitter.up.w) + site];
    // The particle left at `time`; at the substep's start it would have been this far along.
    float way = float(row.outer) * status.dt - emissions[e].time;
    vec3 p = emitter.corner.xyz + emitter.across.xyz * place.x + emitter.up.xyz * place.y +
             emitter.velocity.xyz * way;
    uint i = status.count + k;
    positions[i] = ivec4(fixed_of(p), int(emitter.corner.w));
    velocities[i] = vec4(emitter.velocity.xyz, 0.0);
    ids[i] = emissions[e].first_id + site;
    if (HAS_SOLIDS) clearances[i] = 0.0;
}
