// Moves particles out of bodies; each body receives the momentum that a particle loses. One invocation per
// particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
UPDATE_OWN(positions);
UPDATE_OWN(sorted_velocities);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(broad_phase_cells);
READ_ANY(body_spheres);
READ_ANY(body_iterated_states);
ATOMIC(body_impulse_sums);
#include "mac/collide.glsl"
#include "body/velocity.glsl"
#include "body/query.glsl"
#include "body/impulse.glsl"

// Moves a particle out of one body. Its velocity and mass are read where they are needed: kept during a
// distance query they would take registers.
void project_out_of_body(uint i, uint body, inout vec3 at)
{
    item_surface surface;
    uint item = params.solid_count + body;
    float gap = params.boundary_gap;
    if (!item_find_surface(item, at, gap, surface) || surface.distance >= gap) return;
    vec3 before = sorted_velocities[i].xyz;
    at += surface.normal * (gap - surface.distance);
    vec3 velocity =
        mac_collision_velocity(before, body_velocity_at(body, at), surface.normal, items[item].friction);
    if (velocity == before) return;
    sorted_velocities[i].xyz = velocity;
    float mass = params.fluids[uint(clamp(positions[i].w, 0, 15))].mass;
    add_body_impulse(body, at - body_iterated_states[body].position.xyz,
                     (before - velocity) * (mass * status.dt));
    atomicOr(body_impulse_sums[body * BODY_IMPULSE_WORDS + BODY_IMPULSE_FLAGS], BODY_WOKEN);
}

void main()
{
    uint i = invocation_index();
    RETURN_IF_BROKEN(i >= state.live);
    if (positions[i].x == SIM_INVALID_POSITION) return;
    vec3 at = fixed_to_metres(positions[i].xyz);
    body_iterator walk = body_iterator_begin(at);
    uint body = body_iterator_next_near(walk, at, params.boundary_gap);
    while (body != BODY_NONE) {
        project_out_of_body(i, body, at);
        body = body_iterator_next_near(walk, at, params.boundary_gap);
    }
    ivec4 to = positions[i];
    positions[i].xyz = to.xyz + fixed_from_offset(at - fixed_to_metres(to.xyz));
}
