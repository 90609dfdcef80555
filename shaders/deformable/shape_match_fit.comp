// Finds the position and rotation of each cluster that fit its rest shape to the current vertices in the
// least-squares sense (Mueller, Heidelberger, Teschner and Gross 2005, section 3.3). One workgroup per
// cluster.
#version 460
#define WORKGROUP 64 // DEFORMABLE_MATCH_WORKGROUP
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformable_states);
READ_ANY(deformable_displacements);
READ_ANY(clusters);
READ_ANY(cluster_members);
READ_ANY(cluster_masses);
WRITE_ANY(cluster_transforms);
#define SUM_TYPE vec4
#define SUM_LANES DEFORMABLE_MATCH_WORKGROUP
#include "deformable/shape_matching.glsl"
#define SUM_REPEATS
#include "reduce/workgroup_sum.glsl"

void main()
{
    uint i = invocation_index() / DEFORMABLE_MATCH_WORKGROUP;
    RETURN_IF_SOLVED(i >= pass.constant);
    deformable_cluster cluster = clusters[i];
    uint first = cluster.first + gl_LocalInvocationID.x, end = cluster.first + cluster.count;
    vec4 place = vec4(0.0), one = vec4(0.0), two = vec4(0.0), three = vec4(0.0);
    for (uint m = first; m < end; m += DEFORMABLE_MATCH_WORKGROUP) {
        uint v = cluster_members[m].vertex;
        place += cluster_masses[v] * vec4(member_position(cluster, v), 1.0);
    }
    place = workgroup_sum(place);
    vec3 centre = place.xyz / place.w;
    for (uint m = first; m < end; m += DEFORMABLE_MATCH_WORKGROUP) {
        deformable_member member = cluster_members[m];
        vec3 now = cluster_masses[member.vertex] * (member_position(cluster, member.vertex) - centre);
        one.xyz += now * member.x;
        two.xyz += now * member.y;
        three.xyz += now * member.z;
    }
    one = workgroup_sum(one);
    two = workgroup_sum(two);
    three = workgroup_sum(three);
    mat3 a = mat3(one.xyz, two.xyz, three.xyz);
    vec3 p = cluster.inverse_diagonal.xyz, q = cluster.inverse_off_diagonal.xyz;
    mat3 r = polar_rotation(a, a * mat3(p.x, q.z, q.y, q.z, p.y, q.x, q.y, q.x, p.z));
    deformable_transform fit = deformable_transform(vec4(centre, 0.0), vec4(r[0], 0.0), vec4(r[1], 0.0));
    vec4 left = vec4(0.0);
    for (uint m = first; m < end; m += DEFORMABLE_MATCH_WORKGROUP) {
        deformable_member member = cluster_members[m];
        vec3 way = member_goal_offset(fit, member, member_position(cluster, member.vertex));
        left.xyz += cluster_masses[member.vertex] * way;
    }
    left = workgroup_sum(left) / -place.w;
    if (gl_LocalInvocationID.x != 0u) return;
    cluster_transforms[i] =
        deformable_transform(vec4(centre, left.x), vec4(r[0], left.y), vec4(r[1], left.z));
}
