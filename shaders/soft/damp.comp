// One workgroup a cloth or a rope: takes out a share of what its vertices' motion differs from that of a
// rigid thing with the same momentum and angular momentum, both of which stay (Mueller, Heidelberger, Hennix
// and Ratcliff 2006, section 3.5). Vertices that something holds are left out.
#version 460
#define WORKGROUP 64 // SOFT_DAMP_WORKGROUP
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(softs);
READ_ANY(soft_states);
UPDATE_ANY(soft_moves);

#define SUM_TYPE vec4
#define SUM_LANES SOFT_DAMP_WORKGROUP
#define SUM_REPEATS
#include "reduce/workgroup_sum.glsl"

float mass_of(uint v) { return soft_moves[v].w > 0.0 ? 1.0 / soft_moves[v].w : 0.0; }

void main()
{
    soft_make soft = softs[row_group()];
    if (state.flags != 0u || status.running == 0u || soft.damping == 0.0) return;
    uint first = soft.first_vertex + gl_LocalInvocationID.x, end = soft.first_vertex + soft.vertex_count;
    vec3 base = soft_states[soft.first_vertex].position.xyz;
    vec4 place = vec4(0.0), motion = vec4(0.0), spin = vec4(0.0), low = vec4(0.0), high = vec4(0.0);
    for (uint v = first; v < end; v += SOFT_DAMP_WORKGROUP) {
        float mass = mass_of(v);
        place += mass * vec4(soft_states[v].position.xyz - base, 1.0);
        motion += mass * vec4(soft_moves[v].xyz, 0.0);
    }
    place = workgroup_sum(place);
    motion = workgroup_sum(motion);
    if (place.w == 0.0) return;
    vec3 centre = base + place.xyz / place.w, mean = motion.xyz / place.w;
    for (uint v = first; v < end; v += SOFT_DAMP_WORKGROUP) {
        vec3 r = soft_states[v].position.xyz - centre, m = mass_of(v) * r;
        spin.xyz += cross(m, soft_moves[v].xyz - mean);
        low.xyz += vec3(dot(m, r)) - m * r; // the moments of inertia, then minus their products
        high.xyz += m.xxy * r.yzz;
    }
    spin = workgroup_sum(spin);
    low = workgroup_sum(low);
    high = workgroup_sum(high);
    // Of a straight line the moment along it is 0, and so is the angular momentum.
    low.xyz += SOFT_DAMP_LEAST * (low.x + low.y + low.z);
    mat3 inertia = mat3(low.x, -high.x, -high.y, -high.x, low.y, -high.z, -high.y, -high.z, low.z);
    vec3 turn = low.x * low.y * low.z > 0.0 ? inverse(inertia) * spin.xyz : vec3(0.0);
    float share = 1.0 - exp(-soft.damping * status.dt);
    for (uint v = first; v < end; v += SOFT_DAMP_WORKGROUP) {
        vec3 rigid = mean + cross(turn, soft_states[v].position.xyz - centre);
        if (soft_moves[v].w > 0.0) soft_moves[v].xyz += share * (rigid - soft_moves[v].xyz);
    }
}
