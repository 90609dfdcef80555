// One invocation a sample: its contact begins with the force that it had in the last substep, so that what
// rests need not be held anew.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(poses);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_ANY(body_iterates);
ATOMIC(body_sums);
READ_OWN(samples);
WRITE_OWN(contacts);
READ_OWN(holds);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"

void main()
{
    uint i = row_index();
    RETURN_IF_HALTED(i >= row.constant);
    uint self = samples[i].body;
    vec4 force = holds[i].force;
    bool holds_on = force.w != BODY_HOLD_NONE && !body_rests(body_iterates[self]);
    holds_on = holds_on && force.w <= float(wall_bodies());
    vec3 impulse = holds_on ? force.xyz * (status.dt * status.dt) : vec3(0.0);
    uint source = BODY_NONE;
    if (holds_on) source = force.w == BODY_HOLD_WALL ? BODY_WALL : uint(force.w) - 1u;
    vec4 begun = vec4(impulse, 0.0);
    contacts[i] = body_contact(vec4(0.0), vec4(0.0), begun, begun, source, source, 0.0, 0u);
    if (source == BODY_NONE) return;
    vec3 arm = wall_rotate(body_iterates[self].rotation, samples[i].place.xyz);
    vec3 p = body_iterates[self].position.xyz + arm;
    impulse_add(self, arm, impulse);
    if (source != BODY_WALL) impulse_add(source, p - body_iterates[source].position.xyz, -impulse);
}
