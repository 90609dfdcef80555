// One invocation a sample of a body's surface: its deepest contact with the domain's closed sides, with solids
// and with the other bodies, whose distance fields give depth and normal.
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
OWN_WRITE(contacts);
#include "shape.glsl"
#include "wall.glsl"

// `carried`: where the other's point that is now at the sample was at the substep's start.
void touch(inout body_contact contact, vec4 surface, vec3 carried, vec3 start)
{
    if (-surface.w <= contact.normal.w) return;
    contact.normal = vec4(surface.xyz, -surface.w);
    contact.slip.xyz = carried - start;
}

void touch_sides(inout body_contact contact, vec3 p, vec3 start)
{
    wall_sides sides = wall_find_sides(fixed_of(p));
    for (uint side = 0u; side < 6u; side++) {
        float far = (side & 1u) == 0u ? sides.low[side >> 1] : sides.high[side >> 1];
        touch(contact, vec4(wall_side_normal(side), far), p, start);
    }
    if (contact.normal.w <= 0.0) return;
    contact.other = BODY_WALL;
    contact.friction = params.friction;
}

// The solids, then the bodies but `self`.
void touch_items(inout body_contact contact, uint self, vec3 p, vec3 start)
{
    uint items_end = params.sink_first;
    for (uint item = 0u; item < items_end; item++) {
        wall_surface surface;
        if (item == params.solid_count + self || !wall_find_surface(item, p, 0.0, surface)) continue;
        if (-surface.distance <= contact.normal.w) continue;
        touch(contact, vec4(surface.normal, surface.distance), surface.carried, start);
        contact.other = item < params.solid_count ? BODY_WALL : item - params.solid_count;
        contact.friction = items[item].friction;
    }
}

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    uint self = floatBitsToUint(samples[i].w);
    vec3 offset = samples[i].xyz;
    vec3 p = body_iterates[self].position.xyz + wall_rotate(body_iterates[self].rotation, offset);
    vec3 start = body_states[self].position.xyz + wall_rotate(body_states[self].rotation, offset);
    body_contact contact = body_contact(vec4(0.0), vec4(0.0), BODY_NONE, 0.0, 0u, 0u);
    if (body_iterates[self].position.w == 0.0 && !any(not_finite(p))) {
        touch_sides(contact, p, start);
        touch_items(contact, self, p, start);
    }
    contact.friction = max(contact.friction, bodies[self].products.w);
    contacts[i] = contact;
    if (contact.other == BODY_NONE) return;
    atomicAdd(body_sums[self * BODY_SUM_WORDS + BODY_SUM_CONTACTS], 1u);
    if (contact.other != BODY_WALL)
        atomicAdd(body_sums[contact.other * BODY_SUM_WORDS + BODY_SUM_CONTACTS], 1u);
}
