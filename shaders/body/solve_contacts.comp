// Solves one contact: normal impulse and Coulomb friction; one invocation per selected sample. Impulses
// accumulate over a substep, and the limits apply to their sum: it may not pull, and friction stays within
// the cone of its normal part. Contacts are solved in parallel (Jacobi): each divides a body's mass by its
// number of contacts, so that the sum does not overshoot, and the impulses on the two sides are equal and
// opposite (mass splitting, Tonge and others 2012).
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(poses);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_ANY(bodies);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
READ_ANY(samples);
UPDATE_ANY(contacts);
READ_OWN(selected_samples);
READ_ANY(queues);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"
#include "body/inertia.glsl"

// Returns the inverse mass, 1/kg, that a body with `count` contacts has for an impulse at `arm` along the
// unit vector n.
float inverse_effective_mass(uint body, vec3 arm, vec3 n)
{
    if (body_is_at_rest(body_iterated_states[body])) return 0.0;
    vec3 moment = cross(arm, n);
    float count = float(body_impulse_sums[body * BODY_IMPULSE_WORDS + BODY_IMPULSE_CONTACTS]);
    return count * (bodies[body].centre.w +
                    dot(moment, inverse_inertia_times(body, body_iterated_states[body].rotation, moment)));
}

// Returns the inverse mass of the pair for an impulse at the sample along n, 1/kg.
float inverse_pair_mass(body_contact contact, uint self, vec3 arm, vec3 other_arm, vec3 n)
{
    float across = inverse_effective_mass(self, arm, n);
    return contact.other == BODY_BOUNDARY
               ? across
               : across + inverse_effective_mass(contact.other, other_arm, n);
}

// Returns the impulse limited to the friction cone: no attraction, and friction at most the coefficient times
// the normal part.
vec3 clamp_to_friction_cone(vec3 impulse, body_contact contact)
{
    vec3 n = contact.normal.xyz;
    float push = max(dot(impulse, n), 0.0);
    vec3 rub = impulse - dot(impulse, n) * n;
    float held = length(rub), most = contact.friction * push;
    return push * n + (held > most ? rub * (most / held) : rub);
}

// Returns the new accumulated impulse. A depth that existed at the substep's start is removed gradually.
vec3 solve_contact_impulse(body_contact contact, uint self, vec3 arm, vec3 other_arm)
{
    vec3 n = contact.normal.xyz, slip = contact.slip.xyz - n * dot(contact.slip.xyz, n);
    float start = max(contact.normal.w + dot(contact.slip.xyz, n), 0.0), size = length(slip);
    float depth = contact.normal.w - (1.0 - BODY_POSITION_RELAXATION) * start, cap = params.max_correction;
    float push = clamp(depth, -cap, cap) / inverse_pair_mass(contact, self, arm, other_arm, n);
    vec3 rub = vec3(0.0);
    if (size > 0.0) rub = slip / inverse_pair_mass(contact, self, arm, other_arm, slip / size);
    return clamp_to_friction_cone(contact.impulse.xyz + push * n - rub, contact);
}

// Returns the fraction of the last step that a sweep adds (Nesterov's method for contacts: Mazhar and others
// 2015); 0 in the substep's last sweep. Above 0.6 towers sway.
float nesterov_factor()
{
    uint sweep = pass.inner * BODY_CONTACT_ITERATIONS + pass.constant;
    bool last = sweep + 1u == params.iterations * BODY_CONTACT_ITERATIONS;
    return last ? 0.0 : min(float(sweep) / float(sweep + 3u), 0.6);
}

void apply_impulse(uint to, vec3 p, vec3 impulse)
{
    if (to < BODY_BOUNDARY) add_body_impulse(to, p - body_iterated_states[to].position.xyz, impulse);
}

void main()
{
    RETURN_IF_BROKEN(invocation_index() >= queues[BODY_QUEUE_SAMPLES].count);
    if (status.running == 0u || status.iterations_done != 0u) return;
    uint i = selected_samples[invocation_index()].x;
    body_contact contact = contacts[i];
    if (contact.other == BODY_NONE && contact.source == BODY_NONE) return;
    uint self = samples[i].body;
    vec3 arm = quat_rotate(body_iterated_states[self].rotation, samples[i].offset.xyz);
    vec3 p = body_iterated_states[self].position.xyz + arm, solved = vec3(0.0), impulse = vec3(0.0);
    if (contact.source != contact.other) { // reverts the impulse of another item
        apply_impulse(self, p, -contact.impulse.xyz);
        apply_impulse(contact.source, p, contact.impulse.xyz);
        contact.impulse = contact.solved = vec4(0.0);
    }
    if (contact.other != BODY_NONE) {
        uint other = contact.other == BODY_BOUNDARY ? self : contact.other;
        solved = solve_contact_impulse(contact, self, arm, p - body_iterated_states[other].position.xyz);
        impulse = clamp_to_friction_cone(solved + nesterov_factor() * (solved - contact.solved.xyz), contact);
        apply_impulse(self, p, impulse - contact.impulse.xyz);
        apply_impulse(contact.other, p, contact.impulse.xyz - impulse);
    }
    contacts[i].impulse.xyz = impulse;
    contacts[i].solved.xyz = solved;
    contacts[i].source = contact.other;
}
