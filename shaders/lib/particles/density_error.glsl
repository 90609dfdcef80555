// Sums the density error of an iteration over all particles in integers, and keeps the maximum as float bits.
// Buffers: params, state, density_errors (atomic).
#ifndef PARTICLES_DENSITY_ERROR_GLSL
#define PARTICLES_DENSITY_ERROR_GLSL

void density_error_add(uint iteration, float over)
{
    float unit = float(SIM_DENSITY_ERROR_UNITS / max(state.everyone, 1u));
    atomicAdd(density_errors[iteration], uint(clamp(over, 0.0, 1.0) * unit));
}

void density_error_max(uint iteration, float over)
{
    atomicMax(density_errors[SIM_DENSITY_ERRORS_MAX + iteration], floatBitsToUint(max(over, 0.0)));
}

// Adds to the sums that are compared with a tolerance. The sum has 64 bits in two words, because there are
// many particles and a tolerance may be small.
void density_error_add_fine(uint iteration, float over)
{
    if (!(over > 0.0)) return;
    uint units = uint(min(over, 255.0) * float(SIM_DENSITY_ERROR_FINE_UNITS));
    uint before = atomicAdd(density_errors[SIM_DENSITY_ERRORS_SUM_LOW + iteration], units);
    if (before + units < before) atomicAdd(density_errors[SIM_DENSITY_ERRORS_SUM_HIGH + iteration], 1u);
    if (over > params.tolerance_max) atomicAdd(density_errors[SIM_DENSITY_ERRORS_ABOVE + iteration], 1u);
    density_error_max(iteration, over);
}
#endif
