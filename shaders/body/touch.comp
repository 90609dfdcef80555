// One invocation a sifted sample of a body's surface: its deepest contact with the domain's closed sides,
// with solids and with the other bodies, whose distance fields give the normal at the sample's inner point;
// and how deep the sample is along it.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

BLOCK(state);
BLOCK(status);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(bodies);
GATHER(body_states);
GATHER(body_iterates);
ATOMIC(body_sums);
GATHER(samples);
SCATTER_UPDATE(contacts);
GATHER(near);
OWN_READ(sifted);
GATHER(queues);
#include "shape.glsl"
#include "wall.glsl"
#include "near.glsl"

void touch_sides(inout body_contact contact, vec3 p)
{
    wall_sides sides = wall_find_sides(fixed_of(p));
    for (uint side = 0u; side < 6u; side++) {
        float far = (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1];
        if (-far <= contact.normal.w) continue;
        contact.normal = vec4(wall_side_normal(side), -far);
        contact.other = BODY_WALL;
        contact.friction = params.friction;
    }
}

// `inner`: metres, `outwards`: from there to the sample.
void touch_item(inout body_contact contact, inout uint found, uint item, vec3 inner, vec3 outwards)
{
    wall_surface surface;
    if (!wall_find_surface(item, inner, length(outwards), surface)) return;
    float depth = -surface.distance - dot(surface.normal, outwards);
    if (depth <= contact.normal.w) return;
    contact.normal = vec4(surface.normal, depth);
    contact.other = item < params.solid_count ? BODY_WALL : item - params.solid_count;
    contact.friction = items[item].friction;
    found = item;
}

// The item of the contact, BODY_NONE where there is none. `own`: what the sample may touch.
uint touch_items(inout body_contact contact, uvec4 own, uint self, vec3 inner, vec3 outwards)
{
    uint found = BODY_NONE;
    near_items list = near_items_of(self);
    bool few = own.y != BODY_MANY;
    uint count = few ? BODY_SIFTED : list.count;
    for (uint k = 0u; k < count; k++) {
        uint item = few ? own[k + 1u] : near_item(list, k);
        if (item == BODY_NONE || item == params.solid_count + self) continue;
        touch_item(contact, found, item, inner, outwards);
    }
    return found;
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
    if (row_index() >= queues[BODY_QUEUE_SAMPLES].count || state.flags != 0u) return;
    if (status.running == 0u || status.solved != 0u) return;
    uvec4 own = sifted[row_index()];
    uint i = own.x, self = samples[i].body, item = BODY_NONE;
    body_state at = body_iterates[self];
    vec3 p = world_of(at, samples[i].place.xyz), start = world_of(body_states[self], samples[i].place.xyz);
    body_contact contact = contacts[i];
    bool clings = at.spin.w != 0.0 || any(notEqual(contact.impulse.xyz, vec3(0.0)));
    contact.normal = vec4(0.0, 0.0, 0.0, clings ? -BODY_CLING * params.spacing : 0.0);
    contact.other = BODY_NONE;
    contact.friction = 0.0;
    if (at.position.w == 0.0 && !any(not_finite(p))) {
        vec3 inner = world_of(at, samples[i].inner.xyz);
        touch_sides(contact, p);
        item = touch_items(contact, own, self, inner, p - inner);
    }
    vec3 carried = item == BODY_NONE ? p : wall_carried(item, wall_local(item, p));
    contact.slip.xyz = carried - start;
    contact.friction = max(contact.friction, bodies[self].products.w);
    bool wall = contact.other == BODY_WALL, rests = body_rests(at);
    if (wall) {
        hold(self, distance(carried, p) > BODY_STIR * params.spacing);
    } else if (contact.other != BODY_NONE) {
        hold(self, is_restless(contact.other));
        hold(contact.other, is_restless(self));
        rests = rests && body_rests(body_iterates[contact.other]);
    }
    if (rests) contact.other = BODY_NONE;
    contacts[i] = contact;
    if (contact.other == BODY_NONE) return;
    atomicAdd(body_sums[self * BODY_SUM_WORDS + BODY_SUM_CONTACTS], 1u);
    if (!wall) atomicAdd(body_sums[contact.other * BODY_SUM_WORDS + BODY_SUM_CONTACTS], 1u);
}
