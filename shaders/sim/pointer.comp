// A force along a ray, for the time of the frame: the whole acceleration at the ray, none beyond the radius.
// A force towards the ray also slows the fluid, which would swing about the ray for ever.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(positions);
UPDATE_OWN(velocities);
BLOCK(pointer);

void main()
{
    uint i = row_index();
    RETURN_IF_BROKEN(i >= status.count);
    vec3 offset = fixed_metres(positions[i].xyz) - pointer.origin.xyz;
    float along = dot(offset, pointer.direction.xyz);
    vec3 off = offset - along * pointer.direction.xyz;
    float distance = length(off), part = distance / pointer.origin.w;
    if (!(along > 0.0 && part < 1.0)) return;
    float share = (1.0 - part * part) * (1.0 - part * part) * params.frame_dt;
    vec3 push = off * (share * pointer.direction.w / max(distance, 1e-6));
    if (params.planar != 0u) push.z = 0.0;
    float kept = pointer.direction.w < 0.0 ? 1.0 - min(share * SIM_POINTER_DRAG, 1.0) : 1.0;
    velocities[i].xyz = velocities[i].xyz * kept + push;
}
