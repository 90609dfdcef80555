// One invocation a particle: moves the prediction as the viscous solve has changed its velocity. What the
// solve has left of its residual would be lost to the fluid's momentum, for the forces of the matrix sum to
// nothing: each workgroup gets the sum of what its particles lack.
#version 460
#extension GL_GOOGLE_include_directive : require
#include "sim.glsl"

BLOCK(state);
BLOCK(status);
OWN_READ(viscous_velocities);
OWN_READ(viscous_residuals);
OWN_READ(starts);
OWN_UPDATE(iterates);
OWN_UPDATE(sorted_clearances);
WORK(20, 0, 0);

shared vec4 lanes[SIM_VISCOUS_GROUP / 2u]; // residuals, and densities

// What all particles of the workgroup lack, m/s.
vec3 find_rest(uint i, bool moves)
{
    uint lane = gl_LocalInvocationIndex;
    vec4 sum = vec4(0.0);
    if (moves) sum = vec4(viscous_residuals[i].xyz, params.fluids[starts[i].w].density);
    for (uint half_count = GROUP / 2u; half_count > 0u; half_count /= 2u) {
        if (lane >= half_count && lane < 2u * half_count) lanes[lane - half_count] = sum;
        barrier();
        if (lane < half_count) sum += lanes[lane];
        barrier();
    }
    if (lane == 0u) lanes[0] = sum;
    barrier();
    return lanes[0].xyz / max(lanes[0].w, 1e-30);
}

void main()
{
    uint i = row_index();
    bool moves = i < state.live && state.flags == 0u && status.viscous_iterations != 0u;
    vec3 rest = find_rest(i, moves);
    if (!moves) return;
    vec3 moved = (viscous_velocities[i].xyz + rest) * status.dt;
    if (fixed_is_lost(moved)) return;
    iterates[i].xyz += fixed_step(moved);
    if (HAS_SOLIDS) sorted_clearances[i] -= SIM_SOLID_SLOPE * length(moved);
}
