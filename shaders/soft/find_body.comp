// One invocation a vertex: the body that it hangs on, or else the one that it is deepest in, of equal ones
// the first; and how many vertices each body bears. What the world or a solid holds meets no body.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(softs);
READ_OWN(soft_states);
READ_OWN(soft_moves);
READ_OWN(soft_owners);
READ_ANY(body_iterates);
ATOMIC(body_sums);
READ_OWN(soft_ties);
WRITE_OWN(soft_meets);
#include "boundary/boundary.glsl"

uint find_deepest(vec3 at, float radius)
{
    uint found = SOFT_NONE, bodies = wall_bodies();
    float nearest = radius;
    for (uint body = 0u; body < bodies; body++) {
        float apart = wall_item_distance(params.solid_count + body, at, radius);
        if (!(apart < nearest)) continue;
        nearest = apart;
        found = body;
    }
    return found;
}

void main()
{
    uint i = row_index();
    RETURN_IF_SOLVED(i >= row.constant);
    vec4 moved = soft_moves[i];
    uint body = soft_ties[i].body;
    if (body == SOFT_NONE && moved.w > 0.0)
        body = find_deepest(soft_states[i].position.xyz + moved.xyz, softs[soft_owners[i]].radius);
    if (body != SOFT_NONE && body_iterates[body].position.w != 0.0) body = SOFT_NONE; // it is lost
    soft_meets[i] = body;
    if (body != SOFT_NONE) atomicAdd(body_sums[body * BODY_SUM_WORDS + BODY_SUM_CONTACTS], 1u);
}
