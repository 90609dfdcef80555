// Computes the response of each body to the pressure, for the matrix of the pressure equation, and clears the
// sums of its layer; one invocation per body. The pressure is p dt / rho; the coupling vectors are fractions
// of a cell's faces, scaled by the smallest edge over the cell size (shaders/shared/poisson.h).
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_SOLIDS();
READ_ANY(bodies);
READ_ANY(body_iterated_states);
WRITE_ANY(rigid_responses);
WRITE_ANY(rigid_projections);
WRITE_ANY(body_layer_sums);
#include "boundary/boundary.glsl"
#include "body/inertia.glsl"

void main()
{
    uint i = invocation_index();
    RETURN_IF_HALTED(i >= boundary_body_count());
    body_state at = body_iterated_states[i];
    vec3 size = params.cell_size.xyz;
    float edge = min(size.x, min(size.y, size.z)), mass = params.fluids[0].density * size.x * size.y * size.z;
    float moves = at.position.w == 0.0 ? mass : 0.0, turns = edge * edge * moves;
    vec3 x = inverse_inertia_times(i, at.rotation, vec3(turns, 0.0, 0.0));
    vec3 y = inverse_inertia_times(i, at.rotation, vec3(0.0, turns, 0.0));
    vec3 z = inverse_inertia_times(i, at.rotation, vec3(0.0, 0.0, turns));
    rigid_responses[i].matrix = vec4(moves * bodies[i].centre.w, x.x, y.y, z.z);
    rigid_responses[i].matrix_off_diagonal = vec4(y.x, z.x, z.y, 0.0);
    for (uint k = 0u; k < POISSON_RIGID_WORDS; k++) rigid_projections[i * POISSON_RIGID_WORDS + k] = 0u;
    for (uint k = 0u; k < SIM_BODY_LAYER_WORDS; k++) body_layer_sums[i * SIM_BODY_LAYER_WORDS + k] = 0u;
}
