// Computes the contribution of body drag to the matrix product, for the particle and, in the impulse sums,
// for the bodies; one invocation per queued particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(viscous_residuals);
WRITE_ANY(body_viscous_products);
READ_ANY(iterated_positions);
READ_ANY(viscous_velocities);
READ_ANY(near_bodies);
READ_ANY(queues);
READ_SOLIDS();
READ_ANY(broad_phase_cells);
READ_ANY(body_spheres);
READ_ANY(body_viscous_states);
ATOMIC(body_impulse_sums);
WORK_ESTIMATE(60, 0, 0);

vec3 viscous_particle_velocity(uint i) { return viscous_residuals[i].xyz * viscous_residuals[i].w; }

#include "body/viscosity.glsl"

void main()
{
    if (invocation_index() >= queues[BODY_QUEUE_PARTICLES].count ||
        body_viscous_states[0].velocity.w == 0.0)
        return;
    uint i = near_bodies[invocation_index()].x;
    vec3 p = fixed_to_metres(iterated_positions[i].xyz);
    body_viscous_sum sum = body_viscous_sum(vec3(0.0), 0.0);
    body_iterator walk = body_iterator_begin(p);
    uint body = body_iterator_next_near(walk, p, params.h);
    while (body != BODY_NONE) {
        add_body_viscous_drag(sum, body, i, p);
        body = body_iterator_next_near(walk, p, params.h);
    }
    body_viscous_products[i] = vec4(sum.product, 0.0);
}
