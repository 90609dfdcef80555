// Starts a frame and chooses its number of substeps; one invocation. The number is `substeps`, or if adaptive
// the smallest divisor of `substeps` at which the fastest particle, in the fluid or released in this frame,
// and the fastest body (max_body_speed.comp) stay within the CFL limit, and the substep within the limit of
// surface tension.
#version 460
#define WORKGROUP 1
#include "bindings/sim.glsl"

BLOCK(state);
REDUCTION(status);

uint wanted_substeps()
{
    if (params.adaptive == 0u) return params.substeps;
    float fastest = uintBitsToFloat(status.max_speed_bits);
    if (fastest < params.emitted_speed) fastest = params.emitted_speed; // a NaN speed stays NaN
    float speed = fastest + length(params.gravity.xyz) * params.frame_dt;
    float wanted = ceil(speed * params.frame_dt / (params.cfl * params.spacing));
    float tense = ceil(params.frame_dt / params.max_tension_dt);
    if (wanted < tense) wanted = tense; // a NaN speed stays NaN
    uint most = params.substeps;
    if (not_finite(wanted) || wanted >= float(most)) return most;
    uint n = uint(max(wanted, 1.0));
    while (most % n != 0u) n++;
    return n;
}

void main()
{
    RETURN_IF_BROKEN(invocation_index() != 0u);
    status.substep = 0u;
    status.running = 0u;
    status.frame_viscous_iterations = 0u;
    status.frame_viscous_residual = 0u;
    status.frame_iterations = 0u;
    status.frame_unconverged = 0u;
    status.frame_error_mean = 0.0;
    status.frame_error_max = 0.0;
    status.frame_above_tolerance = 0u;
    status.frame_solve_repetitions = 0u;
    status.frame_max_viscous_iterations = 0u;
    status.substeps = wanted_substeps();
    status.dt = params.frame_dt / float(status.substeps);
}
