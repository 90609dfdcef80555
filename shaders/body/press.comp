// One invocation a sifted sample: the impulse of its contact, which moves the body out of the other and rubs
// (Coulomb). The impulses of a substep add up: only their sum may not pull, and it rubs no more than its push
// allows. All contacts act at once: each takes a body as so much lighter as it has contacts, so that their
// impulses together do not push too far, and what one side gets the other loses (mass splitting, Tonge and
// others 2012).
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(poses);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_ANY(bodies);
READ_ANY(body_iterates);
ATOMIC(body_sums);
READ_ANY(samples);
UPDATE_ANY(contacts);
READ_OWN(sifted);
READ_ANY(queues);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/inertia.glsl"

// 1/kg, for a push at `arm` along the unit vector n, of a body with `count` contacts.
float weight(uint body, vec3 arm, vec3 n)
{
    if (body_rests(body_iterates[body])) return 0.0;
    vec3 moment = cross(arm, n);
    float count = float(body_sums[body * BODY_SUM_WORDS + BODY_SUM_CONTACTS]);
    return count * (bodies[body].centre.w +
                    dot(moment, turn_by_inertia(body, body_iterates[body].rotation, moment)));
}

// 1/kg, of a push at the sample along n.
float weight_of_both(body_contact contact, uint self, vec3 arm, vec3 other_arm, vec3 n)
{
    float across = weight(self, arm, n);
    return contact.other == BODY_WALL ? across : across + weight(contact.other, other_arm, n);
}

// The nearest impulse that does not pull, and rubs no more than its push allows.
vec3 allowed(vec3 impulse, body_contact contact)
{
    vec3 n = contact.normal.xyz;
    float push = max(dot(impulse, n), 0.0);
    vec3 rub = impulse - dot(impulse, n) * n;
    float held = length(rub), most = contact.friction * push;
    return push * n + (held > most ? rub * (most / held) : rub);
}

// What the sum of impulses becomes. A depth that was there at the substep's start goes a little at a time.
vec3 solve(body_contact contact, uint self, vec3 arm, vec3 other_arm)
{
    vec3 n = contact.normal.xyz, slip = contact.slip.xyz - n * dot(contact.slip.xyz, n);
    float start = max(contact.normal.w + dot(contact.slip.xyz, n), 0.0), size = length(slip);
    float depth = contact.normal.w - (1.0 - BODY_MEND) * start, cap = params.correction_cap;
    float push = clamp(depth, -cap, cap) / weight_of_both(contact, self, arm, other_arm, n);
    vec3 rub = vec3(0.0);
    if (size > 0.0) rub = slip / weight_of_both(contact, self, arm, other_arm, slip / size);
    return allowed(contact.impulse.xyz + push * n - rub, contact);
}

// How much of its last step a sweep adds (Nesterov's method for contacts: Mazhar and others 2015); nothing in
// the substep's last sweep. With more than 0.6 towers sway.
float momentum()
{
    uint sweep = row.inner * BODY_SWEEPS + row.constant;
    bool last = sweep + 1u == params.iterations * BODY_SWEEPS;
    return last ? 0.0 : min(float(sweep) / float(sweep + 3u), 0.6);
}

void give(uint to, vec3 p, vec3 impulse)
{
    if (to < BODY_WALL) impulse_add(to, p - body_iterates[to].position.xyz, impulse);
}

void main()
{
    RETURN_IF_BROKEN(row_index() >= queues[BODY_QUEUE_SAMPLES].count);
    if (status.running == 0u || status.solved != 0u) return;
    uint i = sifted[row_index()].x;
    body_contact contact = contacts[i];
    if (contact.other == BODY_NONE && contact.source == BODY_NONE) return;
    uint self = samples[i].body;
    vec3 arm = wall_rotate(body_iterates[self].rotation, samples[i].place.xyz);
    vec3 p = body_iterates[self].position.xyz + arm, solved = vec3(0.0), impulse = vec3(0.0);
    if (contact.source != contact.other) { // what another has given it goes back
        give(self, p, -contact.impulse.xyz);
        give(contact.source, p, contact.impulse.xyz);
        contact.impulse = contact.solved = vec4(0.0);
    }
    if (contact.other != BODY_NONE) {
        uint other = contact.other == BODY_WALL ? self : contact.other;
        solved = solve(contact, self, arm, p - body_iterates[other].position.xyz);
        impulse = allowed(solved + momentum() * (solved - contact.solved.xyz), contact);
        give(self, p, impulse - contact.impulse.xyz);
        give(contact.other, p, contact.impulse.xyz - impulse);
    }
    contacts[i].impulse.xyz = impulse;
    contacts[i].solved.xyz = solved;
    contacts[i].source = contact.other;
}
