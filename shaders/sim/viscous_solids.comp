// One invocation a particle, behind the solve for viscosity and before it moves the particles: what their
// drag gives to solids near by, and to their gauges.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(viscous_velocities);
READ_OWN(iterates);
READ_OWN(starts);
READ_OWN(sorted_clearances);
UPDATE_OWN(measured);
ATOMIC(solid_sums);
READ_SOLIDS();
WORK(10, 0, 0);
#include "boundary/force_gauge.glsl"

// Of a particle over its volume, by the viscosity over h^2: as viscous_begin has it in the matrix.
vec3 drag_of(uint item, vec3 at, vec3 velocity)
{
    wall_surface surface;
    if (!wall_find_surface(item, at, params.h, surface) || surface.distance >= params.h) return vec3(0.0);
    vec3 normal = surface.normal, slip = velocity - (at - surface.carried) / status.dt;
    float q = surface.distance / params.h;
    if (params.planar != 0u) normal.z = 0.0;
    vec2 drag = params.planar != 0u ? kernel_wall_drag_planar(q) : kernel_wall_drag(q);
    if ((items[item].flags & SOLID_ITEM_STICKS) == 0u) drag.x = 0.0;
    return drag.x * slip + ((drag.y - drag.x) * dot(normal, slip)) * normal;
}

void main()
{
    uint i = row_index();
    if (i >= state.live || state.flags != 0u || sorted_clearances[i] >= params.h) return;
    ivec4 start = starts[i];
    ivec3 own = iterates[i].xyz;
    vec3 velocity = fixed_offset(own, start.xyz) / status.dt, at = fixed_metres(own);
    if (status.viscous_iterations != 0u) velocity += viscous_velocities[i].xyz;
    sim_fluid fluid = params.fluids[start.w];
    float share = fluid.dynamic_viscosity * status.dt * status.dt / (fluid.density * params.h * params.h);
    measure_begin(i, start.w);
    uint solids = wall_solids();
    for (uint item = 0u; HAS_SOLIDS && item < solids; item++)
        measure_push(item, at, -share * drag_of(item, at, velocity));
}
