// One invocation a sample: the impulse of its contact, which moves the body out of the other and rubs
// (Coulomb). All contacts act at once: each takes a body as so much lighter as it has contacts, so that their
// impulses together do not push too far, and what one side gets the other loses (mass splitting, Tonge and
// others 2012).
#version 460
#extension GL_GOOGLE_include_directive : require
#include "body.glsl"

BLOCK(state);
BLOCK(status);
GATHER(poses);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(bodies);
GATHER(body_iterates);
ATOMIC(body_sums);
OWN_READ(samples);
OWN_READ(contacts);
#include "shape.glsl"
#include "wall.glsl"
#include "impulse.glsl"
#include "turn.glsl"

// 1/kg, for a push at `arm` along the unit vector n, of a body with `count` contacts.
float weight(uint body, vec3 arm, vec3 n)
{
    vec3 moment = cross(arm, n);
    float count = float(body_sums[body * BODY_SUM_WORDS + BODY_SUM_CONTACTS]);
    return count * (bodies[body].centre.w +
                    dot(moment, turn_by_inertia(body, body_iterates[body].rotation, moment)));
}

void main()
{
    uint i = row_index();
    if (i >= row.constant || state.flags != 0u || status.running == 0u || status.solved != 0u) return;
    body_contact contact = contacts[i];
    if (contact.other == BODY_NONE) return;
    uint self = floatBitsToUint(samples[i].w);
    bool both = contact.other != BODY_WALL;
    uint other = both ? contact.other : self;
    vec3 n = contact.normal.xyz, arm = wall_rotate(body_iterates[self].rotation, samples[i].xyz);
    vec3 other_arm = body_iterates[self].position.xyz + arm - body_iterates[other].position.xyz;
    float across = weight(self, arm, n) + (both ? weight(other, other_arm, n) : 0.0);
    float push = min(contact.normal.w, params.correction_cap) / across;
    vec3 impulse = push * n, slip = contact.slip.xyz - n * dot(contact.slip.xyz, n);
    float size = length(slip);
    if (size > 0.0) {
        vec3 along = slip / size;
        float held = size / (weight(self, arm, along) + (both ? weight(other, other_arm, along) : 0.0));
        impulse -= along * min(held, contact.friction * push);
    }
    impulse_add(self, arm, impulse);
    if (both) impulse_add(other, other_arm, -impulse);
}
