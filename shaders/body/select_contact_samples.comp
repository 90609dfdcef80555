// Selects the samples that have a contact or may get one in this substep, and appends each to a queue with
// the items that it may touch; one invocation per sample. The order of the queue does not matter, because
// impulses are summed as integers.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_iterated_states);
READ_OWN(samples);
READ_OWN(contacts);
READ_ANY(candidates);
WRITE_ANY(selected_samples);
ATOMIC(queues);
#include "boundary/boundary.glsl"
#include "body/near_items.glsl"
#include "reduce/dispatch_queue.glsl"

bool is_near_side(vec3 p)
{
    boundary_sides sides = boundary_side_distances(fixed_from_metres(p));
    vec3 nearer = min(sides.low, sides.high);
    return min(min(nearer.x, nearer.y), nearer.z) < BODY_CONTACT_MARGIN * params.spacing;
}

// Returns the number of near items (x) and the first BODY_MAX_SAMPLE_ITEMS of them (yzw).
uvec4 find_near_items(uint self, vec3 p)
{
    uvec4 found = uvec4(0u, uvec3(BODY_NONE));
    candidate_list list = candidates_of(self);
    for (uint k = 0u; k < list.count; k++) {
        item_surface surface;
        uint item = candidate_at(list, k);
        float reach = BODY_CONTACT_MARGIN * params.spacing;
        if (!can_collide(item, self) || !item_find_surface(item, p, reach, surface)) continue;
        if (surface.distance > reach) continue;
        found.x++;
        if (found.x <= BODY_MAX_SAMPLE_ITEMS) found[found.x] = item;
    }
    return found;
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    uint self = samples[i].body;
    body_state at = body_iterated_states[self];
    vec3 p = at.position.xyz + quat_rotate(at.rotation, samples[i].offset.xyz);
    bool held = contacts[i].source != BODY_NONE;
    uvec4 found = uvec4(0u, uvec3(BODY_NONE));
    if (at.position.w == 0.0 && !any(not_finite(p))) {
        found = find_near_items(self, p);
        held = held || is_near_side(p);
    }
    if (!held && found.x == 0u) return;
    if (found.x > BODY_MAX_SAMPLE_ITEMS) found.y = BODY_OVERFLOW;
    selected_samples[queue_push(BODY_QUEUE_SAMPLES)] = uvec4(i, found.yzw);
}
