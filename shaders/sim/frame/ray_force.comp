// Applies the force along a ray to the velocities, for the duration of the frame: the full acceleration at
// the ray, none beyond the radius. One invocation per particle. A force towards the ray also damps the fluid,
// which would otherwise oscillate about the ray forever.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(positions);
UPDATE_OWN(velocities);
BLOCK(ray_force);

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= status.count);
    vec3 offset = fixed_to_metres(positions[i].xyz) - ray_force.origin.xyz;
    float along = dot(offset, ray_force.direction.xyz);
    vec3 off = offset - along * ray_force.direction.xyz;
    float distance = length(off), part = distance / ray_force.origin.w;
    if (!(along > 0.0 && part < 1.0)) return;
    float share = (1.0 - part * part) * (1.0 - part * part) * params.frame_dt;
    vec3 push = off * (share * ray_force.direction.w / max(distance, 1e-6));
    if (params.planar != 0u) push.z = 0.0;
    float kept = ray_force.direction.w < 0.0 ? 1.0 - min(share * SIM_RAY_FORCE_DAMPING, 1.0) : 1.0;
    velocities[i].xyz = velocities[i].xyz * kept + push;
}
