// Finds the body that each vertex is attached to, or else the one that it penetrates most deeply, the lowest
// index among equals, and counts the vertices that each body bears; one invocation per vertex. A fixed vertex
// touches no body.
#version 460
#include "bindings/deformable.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(deformables);
READ_OWN(deformable_states);
READ_OWN(deformable_displacements);
READ_OWN(vertex_owners);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
READ_OWN(attachments);
WRITE_OWN(contact_bodies);
#include "boundary/boundary.glsl"

uint find_deepest_body(vec3 at, float radius)
{
    uint found = DEFORMABLE_NONE, bodies = boundary_body_count();
    float nearest = radius;
    for (uint body = 0u; body < bodies; body++) {
        float apart = item_distance(params.solid_count + body, at, radius);
        if (!(apart < nearest)) continue;
        nearest = apart;
        found = body;
    }
    return found;
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_SOLVED(i >= pass.constant);
    vec4 moved = deformable_displacements[i];
    uint body = attachments[i].body;
    if (body == DEFORMABLE_NONE && moved.w > 0.0)
        body = find_deepest_body(deformable_states[i].position.xyz + moved.xyz,
                                 deformables[vertex_owners[i]].radius);
    if (body != DEFORMABLE_NONE && body_iterated_states[body].position.w != 0.0)
        body = DEFORMABLE_NONE; // a body with a non-finite state
    contact_bodies[i] = body;
    if (body != DEFORMABLE_NONE)
        atomicAdd(body_impulse_sums[body * BODY_IMPULSE_WORDS + BODY_IMPULSE_CONTACTS], 1u);
}
