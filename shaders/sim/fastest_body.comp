// One invocation a body: an adaptive frame takes the substeps that its fastest point wants, too. A body meets
// what is thin only where it ends a substep, so it moves at most BODY_CFL spacings in one, whatever `cfl` is.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
REDUCE(status);
GATHER(items);
GATHER(solid_nodes);
GATHER(solid_volumes);
GATHER(poses);
GATHER(bodies);
GATHER(body_iterates);
#include "shape.glsl"
#include "wall.glsl"
#include "turn.glsl"

void main()
{
    uint i = row_index();
    if (i >= wall_bodies() || state.flags != 0u) return;
    body_state at = body_iterates[i];
    vec3 turning = turn_by_inertia(i, at.rotation, at.spin.xyz) * bodies[i].inertia.w;
    float fall = length(params.gravity.xyz) * params.frame_dt; // frame_begin.comp adds it
    float speed = length(at.velocity.xyz) + length(turning);
    float as_fluid = (speed + fall) * max(params.cfl / BODY_CFL, 1.0) - fall;
    if (!not_finite(as_fluid)) atomicMax(status.speed_bits, floatBitsToUint(max(as_fluid, 0.0)));
}
