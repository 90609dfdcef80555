// One workgroup a cluster: where it is, and how it is turned, so that its members at rest lie as near as can
// be to where they are (Mueller, Heidelberger, Teschner and Gross 2005, section 3.3).
#version 460
#define WORKGROUP 64 // SOFT_MATCH_WORKGROUP
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_clusters);
READ_ANY(soft_members);
READ_ANY(soft_weights);
WRITE_ANY(soft_fits);
#define SUM_TYPE vec4
#define SUM_LANES SOFT_MATCH_WORKGROUP
#include "deformable/shape_matching.glsl"
#define SUM_REPEATS
#include "reduce/workgroup_sum.glsl"

void main()
{
    uint i = row_index() / SOFT_MATCH_WORKGROUP;
    RETURN_IF_SOLVED(i >= row.constant);
    soft_cluster cluster = soft_clusters[i];
    uint first = cluster.first + gl_LocalInvocationID.x, end = cluster.first + cluster.count;
    vec4 place = vec4(0.0), one = vec4(0.0), two = vec4(0.0), three = vec4(0.0);
    for (uint m = first; m < end; m += SOFT_MATCH_WORKGROUP) {
        uint v = soft_members[m].vertex;
        place += soft_weights[v] * vec4(member_place(cluster, v), 1.0);
    }
    place = workgroup_sum(place);
    vec3 centre = place.xyz / place.w;
    for (uint m = first; m < end; m += SOFT_MATCH_WORKGROUP) {
        soft_member member = soft_members[m];
        vec3 now = soft_weights[member.vertex] * (member_place(cluster, member.vertex) - centre);
        one.xyz += now * member.x;
        two.xyz += now * member.y;
        three.xyz += now * member.z;
    }
    one = workgroup_sum(one);
    two = workgroup_sum(two);
    three = workgroup_sum(three);
    mat3 a = mat3(one.xyz, two.xyz, three.xyz);
    vec3 p = cluster.straight.xyz, q = cluster.across.xyz;
    mat3 r = rotation_in(a, a * mat3(p.x, q.z, q.y, q.z, p.y, q.x, q.y, q.x, p.z));
    soft_fit fit = soft_fit(vec4(centre, 0.0), vec4(r[0], 0.0), vec4(r[1], 0.0));
    vec4 left = vec4(0.0);
    for (uint m = first; m < end; m += SOFT_MATCH_WORKGROUP) {
        soft_member member = soft_members[m];
        vec3 way = member_way(fit, member, member_place(cluster, member.vertex));
        left.xyz += soft_weights[member.vertex] * way;
    }
    left = workgroup_sum(left) / -place.w;
    if (gl_LocalInvocationID.x != 0u) return;
    soft_fits[i] = soft_fit(vec4(centre, left.x), vec4(r[0], left.y), vec4(r[1], left.z));
}
