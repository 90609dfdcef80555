// Adds the impulse of viscous drag to nearby solids and their force gauges; one invocation per particle,
// after the viscous solve and before it moves the particles.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(viscous_velocities);
READ_OWN(iterated_positions);
READ_OWN(sorted_positions);
READ_OWN(sorted_clearances);
UPDATE_OWN(gauge_accumulators);
ATOMIC(solid_impulse_sums);
READ_SOLIDS();
WORK_ESTIMATE(10, 0, 0);
#include "boundary/force_gauge.glsl"

// Returns the drag of a particle per volume, over viscosity / h^2, as viscous_residual.comp has it in the
// matrix.
vec3 solid_drag(uint item, vec3 at, vec3 velocity)
{
    item_surface surface;
    if (!item_find_surface(item, at, params.h, surface) || surface.distance >= params.h) return vec3(0.0);
    vec3 normal = surface.normal, slip = velocity - (at - surface.point_at_start) / status.dt;
    float q = surface.distance / params.h;
    if (params.planar != 0u) normal.z = 0.0;
    vec2 drag = params.planar != 0u ? boundary_viscous_drag_2d(q) : boundary_viscous_drag(q);
    if ((items[item].flags & SOLID_ITEM_NO_SLIP) == 0u) drag.x = 0.0;
    return drag.x * slip + ((drag.y - drag.x) * dot(normal, slip)) * normal;
}

void main()
{
    uint i = invocation_index();
    if (i >= state.live || state.flags != 0u || sorted_clearances[i] >= params.h) return;
    ivec4 start = sorted_positions[i];
    ivec3 own = iterated_positions[i].xyz;
    vec3 velocity = fixed_offset(own, start.xyz) / status.dt, at = fixed_to_metres(own);
    vec4 viscous = viscous_velocities[i];
    if (status.viscous_iterations != 0u) velocity += viscous.xyz;
    sim_fluid fluid = params.fluids[start.w];
    float share = viscous.w * status.dt * status.dt / (fluid.density * params.h * params.h);
    gauge_begin_particle(i, start.w);
    uint solids = boundary_solid_count();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++)
        record_solid_push(item, at, -share * solid_drag(item, at, velocity));
}
