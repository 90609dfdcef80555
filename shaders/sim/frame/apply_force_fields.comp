// Accelerates particles by the sampled force fields; one invocation per particle. The approach to a field's
// velocity is implicit, so every rate is stable. It comes at the end of the substep, when nothing can halt it
// any more, so that a replay does not accelerate twice.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
BLOCK(force_fields);
READ_ANY(force_field_nodes);
READ_OWN(positions);
UPDATE_OWN(velocities);
WORK_ESTIMATE(400, 0, 0);
#include "particles/force_fields.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    ivec3 at = positions[i].xyz;
    vec4 velocity = velocities[i];
    bool led = HAS_FIXED_PARTICLES && velocity.w > 0.0;
    if (led || at.x == SIM_INVALID_POSITION) return;
    float dt = status.dt;
    force_field_sum sum = force_fields_at(fixed_to_metres(at), float(pass.outer + 1u) * dt);
    vec3 change = sum.acceleration + sum.drive - sum.rate * velocity.xyz;
    if (params.planar != 0u) change.z = 0.0;
    velocities[i].xyz = velocity.xyz + change * (dt / (1.0 + dt * sum.rate));
}
