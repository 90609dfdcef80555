// One invocation a particle that bodies may meet, before the iterations for viscosity: the bodies' drag on it
// comes to its residual and to its diagonal, and its drag on them to their sums.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(viscous_velocities);
UPDATE_ANY(viscous_residuals);
READ_ANY(iterates);
READ_ANY(starts);
READ_ANY(met);
READ_ANY(queues);
READ_SOLIDS();
READ_ANY(body_cells);
READ_ANY(body_spheres);
READ_ANY(body_flows);
ATOMIC(body_sums);
WORK(60, 0, 0);

vec3 flow_velocity(uint i) { return viscous_velocities[i].xyz; }

#include "body/viscosity.glsl"

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count) return;
    uint i = met[row_index()].x;
    vec3 p = fixed_metres(iterates[i].xyz);
    flow_sum sum = flow_sum(vec3(0.0), 0.0);
    body_walk walk = walk_begin(p);
    uint body = walk_next_near(walk, p, params.h);
    while (body != BODY_NONE) {
        float diagonal = flow_drag(sum, body, i, p);
        uint at = body * BODY_SUM_WORDS + BODY_SUM_DRAG;
        if (!not_finite(diagonal)) WHOLE_ADD(body_sums, at, flow_share() * diagonal / impulse_unit())
        body = walk_next_near(walk, p, params.h);
    }
    vec4 residual = viscous_residuals[i];
    viscous_residuals[i] = vec4(residual.xyz - sum.pull, 1.0 / (1.0 / residual.w + sum.diagonal));
}
