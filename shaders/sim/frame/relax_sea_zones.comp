// Relaxes velocities in the zones at the sides of a sea to those of the current and the waves (Jacobsen,
// Fuhrman and Fredsoe 2012); one invocation per particle. It comes last in the substep, when nothing can halt
// it any more, so that a replay does not relax twice.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
BLOCK(sea);
READ_OWN(positions);
UPDATE_OWN(velocities);
WORK_ESTIMATE(30, 0, 0);
#include "particles/sea.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    ivec3 at = positions[i].xyz;
    vec4 velocity = velocities[i];
    bool led = HAS_FIXED_PARTICLES && velocity.w > 0.0;
    if (led || at.x == SIM_INVALID_POSITION) return;
    vec3 p = fixed_to_metres(at);
    sea_relaxation zone = sea_relaxation_at(p);
    if (zone.rate <= 0.0) return;
    vec3 target = sea.current.xyz;
    if (zone.waves > 0.0) target += zone.waves * sea_wave_velocity(p, float(pass.outer + 1u) * status.dt);
    vec3 change = (1.0 - exp(-zone.rate * status.dt)) * (target - velocity.xyz);
    if (params.planar != 0u) change.z = 0.0;
    velocities[i].xyz = velocity.xyz + change;
}
