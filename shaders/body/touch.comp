// One invocation a sifted sample of a body's surface: its deepest contact with the domain's closed sides,
// with solids and with the other bodies, whose distance fields give the normal at the sample's inner point;
// and how deep the sample is along it.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_states);
READ_ANY(body_iterates);
ATOMIC(body_sums);
READ_ANY(samples);
UPDATE_ANY(contacts);
READ_ANY(near);
READ_OWN(sifted);
READ_ANY(queues);
#include "boundary/boundary.glsl"
#include "body/near_items.glsl"

// What the sample touches deepest. The rest of its contact is left in memory.
struct touch_found {
    vec4 normal; // as in body_contact
    uint item;   // a solid or a body, BODY_WALL where it is a side of the domain, or BODY_NONE
};

void touch_sides(inout touch_found contact, vec3 p)
{
    wall_sides sides = wall_find_sides(fixed_of(p));
    for (uint side = 0u; side < 6u; side++) {
        float far = (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1];
        if (-far <= contact.normal.w) continue;
        contact.normal = vec4(wall_side_normal(side), -far);
        contact.item = BODY_WALL;
    }
}

// `inner`: metres, `p`: of the sample.
void touch_item(inout touch_found contact, uint item, vec3 inner, vec3 p)
{
    wall_surface surface;
    vec3 outwards = p - inner;
    if (!wall_find_surface(item, inner, length(outwards), surface)) return;
    float depth = -surface.distance - dot(surface.normal, outwards);
    if (depth <= contact.normal.w) return;
    contact.normal = vec4(surface.normal, depth);
    contact.item = item;
}

void touch_items(inout touch_found contact, uint self, vec3 inner, vec3 p)
{
    near_items list = near_items_of(self);
    bool few = sifted[row_index()].y != BODY_MANY;
    uint count = few ? BODY_SIFTED : list.count;
    for (uint k = 0u; k < count; k++) {
        uint item = few ? sifted[row_index()][k + 1u] : near_item(list, k);
        if (item == BODY_NONE || !near_meets(item, self)) continue;
        touch_item(contact, item, inner, p);
    }
}

vec3 world_of(body_state at, vec3 offset) { return at.position.xyz + wall_rotate(at.rotation, offset); }

void hold(uint body, bool stirs)
{
    uint how = stirs ? BODY_HELD | BODY_STIRRED : BODY_HELD;
    atomicOr(body_sums[body * BODY_SUM_WORDS + BODY_SUM_TOUCHED], how);
}

// It was not slow in the last substep: what touches it must not sleep.
bool is_restless(uint body)
{
    return body_iterates[body].velocity.w == 0.0 && body_iterates[body].position.w == 0.0;
}

void main()
{
    RETURN_IF_BROKEN(row_index() >= queues[BODY_QUEUE_SAMPLES].count);
    if (status.running == 0u || status.solved != 0u) return;
    uint i = sifted[row_index()].x, self = samples[i].body;
    bool rests = body_rests(body_iterates[self]);
    vec3 p = world_of(body_iterates[self], samples[i].place.xyz);
    bool clings = body_iterates[self].spin.w != 0.0 || any(notEqual(contacts[i].impulse.xyz, vec3(0.0)));
    touch_found found =
        touch_found(vec4(0.0, 0.0, 0.0, clings ? -BODY_CLING * params.spacing : 0.0), BODY_NONE);
    if (body_iterates[self].position.w == 0.0 && !any(not_finite(p))) {
        touch_sides(found, p);
        touch_items(found, self, world_of(body_iterates[self], samples[i].inner.xyz), p);
    }
    bool of_item = found.item < BODY_WALL;
    vec3 carried = of_item ? wall_carried(found.item, wall_local(found.item, p)) : p;
    float friction = found.item == BODY_WALL ? params.friction : of_item ? items[found.item].friction : 0.0;
    contacts[i].normal = found.normal;
    contacts[i].slip.xyz = carried - world_of(body_states[self], samples[i].place.xyz);
    contacts[i].friction = max(friction, bodies[self].products.w);
    uint other = found.item;
    if (of_item) other = other < params.solid_count ? BODY_WALL : other - params.solid_count;
    bool wall = other == BODY_WALL;
    if (wall) {
        hold(self, distance(carried, p) > BODY_STIR * params.spacing);
    } else if (other != BODY_NONE) {
        hold(self, is_restless(other));
        hold(other, is_restless(self));
        rests = rests && body_rests(body_iterates[other]);
    }
    if (rests) other = BODY_NONE;
    contacts[i].other = other;
    if (other == BODY_NONE) return;
    atomicAdd(body_sums[self * BODY_SUM_WORDS + BODY_SUM_CONTACTS], 1u);
    if (!wall) atomicAdd(body_sums[other * BODY_SUM_WORDS + BODY_SUM_CONTACTS], 1u);
}
