// Warm-starts each contact with the force of the last substep, so that stacks converge in few iterations; one
// invocation per sample.
#version 460
#include "bindings/body.glsl"

BLOCK(state);
BLOCK(status);
READ_ANY(poses);
READ_ANY(items);
READ_ANY(solid_nodes);
READ_ANY(solid_volumes);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
READ_OWN(samples);
WRITE_OWN(contacts);
READ_OWN(cached_forces);
#include "boundary/boundary.glsl"
#include "body/impulse.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= pass.constant);
    uint self = samples[i].body;
    vec4 force = cached_forces[i].force;
    bool is_cached = force.w != BODY_FORCE_NONE && !body_is_at_rest(body_iterated_states[self]);
    is_cached = is_cached && force.w <= float(boundary_body_count());
    vec3 impulse = is_cached ? force.xyz * (status.dt * status.dt) : vec3(0.0);
    uint source = BODY_NONE;
    if (is_cached) source = force.w == BODY_FORCE_BOUNDARY ? BODY_BOUNDARY : uint(force.w) - 1u;
    vec4 begun = vec4(impulse, 0.0);
    contacts[i] = body_contact(vec4(0.0), vec4(0.0), begun, begun, source, source, 0.0, 0u);
    if (source == BODY_NONE) return;
    vec3 arm = quat_rotate(body_iterated_states[self].rotation, samples[i].offset.xyz);
    vec3 p = body_iterated_states[self].position.xyz + arm;
    add_body_impulse(self, arm, impulse);
    if (source != BODY_BOUNDARY)
        add_body_impulse(source, p - body_iterated_states[source].position.xyz, -impulse);
}
