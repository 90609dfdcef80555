// Damps the non-rigid part of the vertices' motion in each deformable: the difference from the rigid motion
// with the same momentum and angular momentum, which are both conserved (Mueller, Heidelberger, Hennix and
// Ratcliff 2006, section 3.5). Fixed vertices are left out. One workgroup per deformable.
#version 460
#define WORKGROUP 64 // DEFORMABLE_DAMP_WORKGROUP
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformables);
READ_ANY(deformable_states);
UPDATE_ANY(deformable_displacements);

#define SUM_TYPE vec4
#define SUM_LANES DEFORMABLE_DAMP_WORKGROUP
#define SUM_REPEATS
#include "reduce/workgroup_sum.glsl"

float vertex_mass(uint v)
{
    return deformable_displacements[v].w > 0.0 ? 1.0 / deformable_displacements[v].w : 0.0;
}

void main()
{
    deformable_properties deformable = deformables[workgroup_index()];
    if (state.flags != 0u || status.running == 0u || deformable.damping == 0.0) return;
    uint first = deformable.first_vertex + gl_LocalInvocationID.x;
    uint end = deformable.first_vertex + deformable.vertex_count;
    vec3 base = deformable_states[deformable.first_vertex].position.xyz;
    vec4 place = vec4(0.0), motion = vec4(0.0), spin = vec4(0.0), low = vec4(0.0), high = vec4(0.0);
    for (uint v = first; v < end; v += DEFORMABLE_DAMP_WORKGROUP) {
        float mass = vertex_mass(v);
        place += mass * vec4(deformable_states[v].position.xyz - base, 1.0);
        motion += mass * vec4(deformable_displacements[v].xyz, 0.0);
    }
    place = workgroup_sum(place);
    motion = workgroup_sum(motion);
    if (place.w == 0.0) return;
    vec3 centre = base + place.xyz / place.w, mean = motion.xyz / place.w;
    for (uint v = first; v < end; v += DEFORMABLE_DAMP_WORKGROUP) {
        vec3 r = deformable_states[v].position.xyz - centre, m = vertex_mass(v) * r;
        spin.xyz += cross(m, deformable_displacements[v].xyz - mean);
        // moments of inertia (low), and minus the products of inertia (high)
        low.xyz += vec3(dot(m, r)) - m * r;
        high.xyz += m.xxy * r.yzz;
    }
    spin = workgroup_sum(spin);
    low = workgroup_sum(low);
    high = workgroup_sum(high);
    // Regularizes the inertia: for a straight line the moment about it is 0, and so is the angular momentum.
    low.xyz += DEFORMABLE_DAMP_REGULARIZATION * (low.x + low.y + low.z);
    mat3 inertia = mat3(low.x, -high.x, -high.y, -high.x, low.y, -high.z, -high.y, -high.z, low.z);
    vec3 turn = low.x * low.y * low.z > 0.0 ? inverse(inertia) * spin.xyz : vec3(0.0);
    float share = 1.0 - exp(-deformable.damping * status.dt);
    for (uint v = first; v < end; v += DEFORMABLE_DAMP_WORKGROUP) {
        vec3 rigid = mean + cross(turn, deformable_states[v].position.xyz - centre);
        if (deformable_displacements[v].w > 0.0)
            deformable_displacements[v].xyz += share * (rigid - deformable_displacements[v].xyz);
    }
}
