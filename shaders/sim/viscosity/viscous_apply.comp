// Moves the prediction by the velocity change of the viscous solve; one invocation per particle. The forces
// of the matrix sum to zero, so the unconverged residual would be lost momentum: each segment adds its mean
// residual back, which conserves the total momentum.
#version 460
#include "bindings/sim.glsl"

BLOCK(state);
BLOCK(status);
READ_OWN(viscous_velocities);
READ_OWN(viscous_residuals);
READ_OWN(sorted_positions);
UPDATE_OWN(iterated_positions);
UPDATE_OWN(sorted_clearances);
WORK_ESTIMATE(20, 0, 0);
#define SUM_TYPE vec4
#define SUM_LANES SIM_VISCOUS_WORKGROUP
#define SUM_SEGMENT SIM_VISCOUS_SEGMENT
#include "reduce/segment_sum.glsl"

// Returns the velocity that the particles of the segment lost to the residual, m/s.
vec3 lost_velocity(uint i, bool moves)
{
    vec4 sum = vec4(0.0);
    if (moves) sum = vec4(viscous_residuals[i].xyz, params.fluids[sorted_positions[i].w].density);
    sum = segment_sum(sum); // xyz residuals, w densities
    return sum.xyz / max(sum.w, 1e-30);
}

void main()
{
    uint i = invocation_index();
    bool moves = i < state.live && state.flags == 0u && status.viscous_iterations != 0u;
    vec3 rest = lost_velocity(i, moves);
    if (!moves) return;
    vec3 moved = (viscous_velocities[i].xyz + rest) * status.dt;
    if (fixed_is_non_finite(moved)) return;
    iterated_positions[i].xyz += fixed_from_offset(moved);
    if (HAS_SOLIDS) sorted_clearances[i] -= SIM_SDF_MAX_SLOPE * length(moved);
}
