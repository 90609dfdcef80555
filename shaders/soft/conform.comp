// One invocation a vertex: goes to where its clusters have it, a share of the way in each sweep; of several
// clusters to their mean. Its mass is divided among them, so that the momentum stays (Rivers and James 2007,
// section 3.2).
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(soft_states);
UPDATE_OWN(soft_moves);
READ_ANY(soft_clusters);
READ_ANY(soft_members);
READ_ANY(soft_fits);
READ_ANY(soft_part_firsts);
READ_ANY(soft_parts);
#include "deformable/shape_matching.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_SOLVED(i >= row.constant);
    uint first = soft_part_firsts[i], end = soft_part_firsts[i + 1u];
    if (first == end || soft_moves[i].w == 0.0) return;
    vec3 sum = vec3(0.0);
    for (uint p = first; p < end; p++) {
        soft_part part = soft_parts[p];
        soft_cluster cluster = soft_clusters[part.cluster];
        soft_fit fit = soft_fits[part.cluster];
        vec3 way = member_way(fit, soft_members[part.member], member_place(cluster, i));
        sum += cluster.share * (way + vec3(fit.centre.w, fit.one.w, fit.two.w));
    }
    soft_moves[i].xyz += sum / float(end - first);
}
