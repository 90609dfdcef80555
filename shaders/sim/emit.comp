// Adds the particles of the running substep's emissions behind the others, as layers of a lattice that
// have moved on since the moment of their release.
// Reads emissions, emitters, sites; writes x, v, ids, away (nothing is known of the solids).
#version 460
#include "sim.glsl"

layout(constant_id = 1) const bool HAS_SOLIDS = false;

layout(std430, binding = SIM_BIND_STATE) readonly buffer state_block { grid_state state; };
layout(std430, binding = SIM_BIND_STATUS) readonly buffer status_block { sim_status status; };
layout(std430, binding = SIM_BIND_EMISSIONS) readonly buffer emissions_block { sim_emission emissions[]; };
layout(std430, binding = SIM_BIND_EMITTERS) readonly buffer emitters_block { sim_emitter emitters[]; };
layout(std430, binding = SIM_BIND_SITES) readonly buffer sites_block { vec2 sites[]; };
layout(std430, binding = SIM_BIND_X) writeonly buffer x_block { ivec4 x[]; };
layout(std430, binding = SIM_BIND_V) writeonly buffer v_block { vec4 v[]; };
layout(std430, binding = SIM_BIND_IDS) writeonly buffer ids_block { uint ids[]; };
layout(std430, binding = SIM_BIND_AWAY) writeonly buffer away_block { float away[]; };

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
    x[i] = ivec4(place_of(p), int(emitter.corner.w));
    v[i] = vec4(emitter.velocity.xyz, 0.0);
    ids[i] = emissions[e].first_id + site;
    if (HAS_SOLIDS) away[i] = 0.0;
}
