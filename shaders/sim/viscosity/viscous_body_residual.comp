// Adds the drag of nearby bodies to a particle's initial residual and diagonal, and the reaction to the
// bodies' sums; one invocation per queued particle.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(viscous_velocities);
UPDATE_ANY(viscous_residuals);
READ_ANY(iterated_positions);
READ_ANY(near_bodies);
READ_ANY(queues);
READ_SOLIDS();
READ_ANY(broad_phase_cells);
READ_ANY(body_spheres);
READ_ANY(body_viscous_states);
ATOMIC(body_impulse_sums);
WORK_ESTIMATE(60, 0, 0);

vec3 viscous_particle_velocity(uint i) { return viscous_velocities[i].xyz; }

#include "body/viscosity.glsl"

void main()
{
    if (invocation_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uint i = near_bodies[invocation_index()].x;
    vec3 p = fixed_to_metres(iterated_positions[i].xyz);
    body_viscous_sum sum = body_viscous_sum(vec3(0.0), 0.0);
    body_iterator walk = body_iterator_begin(p);
    uint body = body_iterator_next_near(walk, p, params.h);
    while (body != BODY_NONE) {
        float diagonal = add_body_viscous_drag(sum, body, i, p);
        uint at = body * BODY_IMPULSE_WORDS + BODY_IMPULSE_VISCOUS_DIAGONAL;
        if (!not_finite(diagonal))
            INTEGER_ATOMIC_ADD(body_impulse_sums, at,
                               viscous_impulse_scale() * diagonal / body_impulse_unit())
        body = body_iterator_next_near(walk, p, params.h);
    }
    vec4 residual = viscous_residuals[i];
    viscous_residuals[i] = vec4(residual.xyz - sum.product, 1.0 / (1.0 / residual.w + sum.diagonal));
}
