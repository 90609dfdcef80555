// One invocation a sample of a body's surface: its deepest contact with the domain's closed sides, with
// solids and with the other bodies, whose distance fields give the normal at the sample's inner point, and
// the depth of the sample along it.
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
OWN_READ(samples);
OWN_UPDATE(contacts);
GATHER(near);
#include "shape.glsl"
#include "wall.glsl"

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

// The solids and bodies that are near; all where the list of them is too short. `inner`: metres, `outwards`:
// from there to the sample.
uint touch_items(inout body_contact contact, uint self, vec3 inner, vec3 outwards)
{
    uint at = self * BODY_NEAR_WORDS, count = near[at], found = BODY_NONE;
    bool listed = count <= BODY_NEAR;
    if (!listed) count = params.sink_first;
    for (uint k = 0u; k < count; k++) {
        wall_surface surface;
        uint item = listed ? near[at + 1u + k] : k;
        if (item == params.solid_count + self) continue;
        if (!wall_find_surface(item, inner, length(outwards), surface)) continue;
        float depth = -surface.distance - dot(surface.normal, outwards);
        if (depth <= contact.normal.w) continue;
        contact.normal = vec4(surface.normal, depth);
        contact.other = item < params.solid_count ? BODY_WALL : item - params.solid_count;
        contact.friction = items[item].friction;
        found = item;
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
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    uint self = samples[i].body, item = BODY_NONE;
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
        item = touch_items(contact, self, inner, p - inner);
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
