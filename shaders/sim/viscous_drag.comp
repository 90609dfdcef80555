// One invocation a particle that bodies may meet, in an iteration for viscosity: what the bodies' drag adds
// to the matrix's product, for the particle and, in their sums, for them.
#version 460
#include "bindings/sim.glsl"

BLOCK(status);
READ_ANY(viscous_residuals);
WRITE_ANY(body_pulls);
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

vec3 flow_velocity(uint i) { return viscous_residuals[i].xyz * viscous_residuals[i].w; }

#include "body/viscosity.glsl"

void main()
{
    if (row_index() >= queues[BODY_QUEUE_PARTICLES].count || body_flows[0].velocity.w == 0.0) return;
    uint i = met[row_index()].x;
    vec3 p = fixed_metres(iterates[i].xyz);
    flow_sum sum = flow_sum(vec3(0.0), 0.0);
    body_walk walk = walk_begin(p);
    uint body = walk_next_near(walk, p, params.h);
    while (body != BODY_NONE) {
        flow_drag(sum, body, i, p);
        body = walk_next_near(walk, p, params.h);
    }
    body_pulls[i] = vec4(sum.pull, 0.0);
}
