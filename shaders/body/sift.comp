// One invocation a sample: those that have a contact, or may get one in the substep, line up with the items
// that they may touch. In which order they do does not matter: sums of impulses are whole numbers.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_iterates);
READ_OWN(samples);
READ_OWN(contacts);
READ_ANY(near);
WRITE_ANY(sifted);
ATOMIC(queues);
#include "boundary/boundary.glsl"
#include "body/near_items.glsl"
#include "reduce/dispatch_queue.glsl"

bool is_at_side(vec3 p)
{
    wall_sides sides = wall_find_sides(fixed_of(p));
    vec3 nearer = min(sides.low, sides.high);
    return min(min(nearer.x, nearer.y), nearer.z) < BODY_SIFT_WITHIN * params.spacing;
}

// yzw the items near enough, as far as there is room; x how many there are.
uvec4 find_items(uint self, vec3 p)
{
    uvec4 found = uvec4(0u, uvec3(BODY_NONE));
    near_items list = near_items_of(self);
    for (uint k = 0u; k < list.count; k++) {
        wall_surface surface;
        uint item = near_item(list, k);
        float reach = BODY_SIFT_WITHIN * params.spacing;
        if (!near_meets(item, self) || !wall_find_surface(item, p, reach, surface)) continue;
        if (surface.distance > reach) continue;
        found.x++;
        if (found.x <= BODY_SIFTED) found[found.x] = item;
    }
    return found;
}

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    uint self = samples[i].body;
    body_state at = body_iterates[self];
    vec3 p = at.position.xyz + wall_rotate(at.rotation, samples[i].place.xyz);
    bool held = contacts[i].source != BODY_NONE;
    uvec4 found = uvec4(0u, uvec3(BODY_NONE));
    if (at.position.w == 0.0 && !any(not_finite(p))) {
        found = find_items(self, p);
        held = held || is_at_side(p);
    }
    if (!held && found.x == 0u) return;
    if (found.x > BODY_SIFTED) found.y = BODY_MANY;
    sifted[queue_join(BODY_QUEUE_SAMPLES)] = uvec4(i, found.yzw);
}
