// One invocation a vertex: what the vertices that it meets push it, with friction (Coulomb) against the slip
// of the substep. All act at once, so each takes a vertex as so much lighter as it meets others (mass
// splitting, Tonge and others 2012), and both of a pair come to the same push.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(softs);
READ_ANY(soft_owners);
READ_ANY(soft_states);
READ_ANY(soft_moves);
READ_ANY(soft_rests);
READ_ANY(soft_nears);
READ_ANY(soft_bears);
WRITE_OWN(soft_shoves);
#include "deformable/near_vertices.glsl"
#include "deformable/vertex_contact.glsl"

// kg m
vec3 push_of(uint i, uint k)
{
    soft_pair pair = pair_of(i, k);
    pair_contact met = pair_meet(pair, i < k);
    if (!(met.depth > 0.0)) return vec3(0.0);
    precise float one = float(soft_bears[i]) * soft_moves[i].w, two = float(soft_bears[k]) * soft_moves[k].w;
    precise float weight = one + two;
    float push = met.depth / weight;
    vec3 slip = soft_moves[i].xyz - soft_moves[k].xyz;
    vec3 along = slip - met.normal * dot(slip, met.normal);
    float size = length(along);
    float rubs = max(softs[soft_owners[i]].friction, softs[soft_owners[k]].friction);
    if (!(size > 0.0)) return met.normal * push;
    return met.normal * push - along / size * min(size / weight, rubs * push);
}

void main()
{
    uint i = row_index();
    RETURN_IF_SOLVED(i >= row.constant);
    vec3 sum = vec3(0.0);
    uint end = near_count(i);
    for (uint n = 1u; n <= end; n++) {
        uint k = soft_nears[i * SOFT_NEAR_WORDS + n];
        if (near_lists(k, i)) sum += push_of(i, k);
    }
    soft_shoves[i] = vec4(sum, 0.0);
}
