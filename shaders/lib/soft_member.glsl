// Where a vertex is, m from where the cluster's first member was when the substep began. Needs soft_states,
// soft_moves and soft_members.
vec3 member_place(soft_cluster cluster, uint vertex)
{
    vec3 from = soft_states[soft_members[cluster.first].vertex].position.xyz;
    return (soft_states[vertex].position.xyz - from) + soft_moves[vertex].xyz;
}

// How far the member at `place` is from where the cluster has it, m, but for the rest of its centre.
vec3 member_way(soft_fit fit, soft_member member, vec3 place)
{
    vec3 at = member.x * fit.one.xyz + member.y * fit.two.xyz + member.z * cross(fit.one.xyz, fit.two.xyz);
    return (fit.centre.xyz + at) - place;
}
