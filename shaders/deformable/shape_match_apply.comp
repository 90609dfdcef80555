// Moves each vertex towards its goal position in its clusters, by the clusters' stiffness in each sweep; with
// several clusters, by their mean. A vertex's mass is divided among its clusters, which conserves momentum
// (Rivers and James 2007, section 3.2). One invocation per vertex.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(deformable_states);
UPDATE_OWN(deformable_displacements);
READ_ANY(clusters);
READ_ANY(cluster_members);
READ_ANY(cluster_transforms);
READ_ANY(membership_offsets);
READ_ANY(memberships);
#include "deformable/shape_matching.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_SOLVED(i >= pass.constant);
    uint first = membership_offsets[i], end = membership_offsets[i + 1u];
    if (first == end || deformable_displacements[i].w == 0.0) return;
    vec3 sum = vec3(0.0);
    for (uint p = first; p < end; p++) {
        deformable_membership part = memberships[p];
        deformable_cluster cluster = clusters[part.cluster];
        deformable_transform fit = cluster_transforms[part.cluster];
        vec3 way = member_goal_offset(fit, cluster_members[part.member], member_position(cluster, i));
        sum += cluster.stiffness * (way + vec3(fit.centre.w, fit.axis_x.w, fit.axis_y.w));
    }
    deformable_displacements[i].xyz += sum / float(end - first);
}
