// Finds the deepest contact of each selected sample of a body's surface with the domain's closed sides, with
// solids and with other bodies; one invocation per selected sample. The distance fields give the normal at
// the sample's inner point, and the depth of the sample along it.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_states);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
READ_ANY(samples);
UPDATE_ANY(contacts);
READ_ANY(candidates);
READ_OWN(selected_samples);
READ_ANY(queues);
#include "boundary/boundary.glsl"
#include "body/near_items.glsl"

// Deepest contact of the sample. The rest of its contact remains in memory.
struct deepest_contact {
    vec4 normal; // as in body_contact
    uint item;   // a solid or a body, BODY_BOUNDARY for a side of the domain, or BODY_NONE
};

void test_sides(inout deepest_contact contact, vec3 p)
{
    boundary_sides sides = boundary_side_distances(fixed_from_metres(p));
    for (uint side = 0u; side < 6u; side++) {
        float far = (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1];
        if (-far <= contact.normal.w) continue;
        contact.normal = vec4(boundary_side_normal(side), -far);
        contact.item = BODY_BOUNDARY;
    }
}

// Tests one item. `inner` and `p`, m: the sample's inner point and the sample.
void test_item(inout deepest_contact contact, uint item, vec3 inner, vec3 p)
{
    item_surface surface;
    vec3 outwards = p - inner;
    if (!item_find_surface(item, inner, length(outwards), surface)) return;
    float depth = -surface.distance - dot(surface.normal, outwards);
    if (depth <= contact.normal.w) return;
    contact.normal = vec4(surface.normal, depth);
    contact.item = item;
}

void test_items(inout deepest_contact contact, uint self, vec3 inner, vec3 p)
{
    candidate_list list = candidates_of(self);
    bool few = selected_samples[invocation_index()].y != BODY_OVERFLOW;
    uint count = few ? BODY_MAX_SAMPLE_ITEMS : list.count;
    for (uint k = 0u; k < count; k++) {
        uint item = few ? selected_samples[invocation_index()][k + 1u] : candidate_at(list, k);
        if (item == BODY_NONE || !can_collide(item, self)) continue;
        test_item(contact, item, inner, p);
    }
}

vec3 world_position(body_state at, vec3 offset) { return at.position.xyz + quat_rotate(at.rotation, offset); }

void mark_supported(uint body, bool stirs)
{
    uint how = stirs ? BODY_SUPPORTED | BODY_WOKEN : BODY_SUPPORTED;
    atomicOr(body_impulse_sums[body * BODY_IMPULSE_WORDS + BODY_IMPULSE_FLAGS], how);
}

// Returns whether the body was not slow in the last substep: what it touches must not sleep.
bool is_moving(uint body)
{
    return body_iterated_states[body].velocity.w == 0.0 && body_iterated_states[body].position.w == 0.0;
}

void main()
{
    RETURN_IF_BROKEN(invocation_index() >= queues[BODY_QUEUE_SAMPLES].count);
    if (status.running == 0u || status.iterations_done != 0u) return;
    uint i = selected_samples[invocation_index()].x, self = samples[i].body;
    bool rests = body_is_at_rest(body_iterated_states[self]);
    vec3 p = world_position(body_iterated_states[self], samples[i].offset.xyz);
    bool in_contact = body_iterated_states[self].angular_momentum.w != 0.0 ||
                      any(notEqual(contacts[i].impulse.xyz, vec3(0.0)));
    deepest_contact found = deepest_contact(
        vec4(0.0, 0.0, 0.0, in_contact ? -BODY_CONTACT_SLOP * params.spacing : 0.0), BODY_NONE);
    if (body_iterated_states[self].position.w == 0.0 && !any(not_finite(p))) {
        test_sides(found, p);
        test_items(found, self, world_position(body_iterated_states[self], samples[i].inner_offset.xyz), p);
    }
    bool of_item = found.item < BODY_BOUNDARY;
    vec3 carried = of_item ? item_point_at_start(found.item, item_to_local(found.item, p)) : p;
    float friction = found.item == BODY_BOUNDARY ? params.friction
                     : of_item                   ? items[found.item].friction
                                                 : 0.0;
    contacts[i].normal = found.normal;
    contacts[i].slip.xyz = carried - world_position(body_states[self], samples[i].offset.xyz);
    contacts[i].friction = max(friction, bodies[self].products.w);
    uint other = found.item;
    if (of_item) other = other < params.solid_count ? BODY_BOUNDARY : other - params.solid_count;
    bool wall = other == BODY_BOUNDARY;
    if (wall) {
        mark_supported(self, distance(carried, p) > BODY_WAKE_DISTANCE * params.spacing);
    } else if (other != BODY_NONE) {
        mark_supported(self, is_moving(other));
        mark_supported(other, is_moving(self));
        rests = rests && body_is_at_rest(body_iterated_states[other]);
    }
    if (rests) other = BODY_NONE;
    contacts[i].other = other;
    if (other == BODY_NONE) return;
    atomicAdd(body_impulse_sums[self * BODY_IMPULSE_WORDS + BODY_IMPULSE_CONTACTS], 1u);
    if (!wall) atomicAdd(body_impulse_sums[other * BODY_IMPULSE_WORDS + BODY_IMPULSE_CONTACTS], 1u);
}
