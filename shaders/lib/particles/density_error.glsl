// Sums the over-density of an iteration over all particles in whole numbers, and keeps the largest as
// float bits.
// Buffers: params, state, errors (atomic).
#ifndef PARTICLES_DENSITY_ERROR_GLSL
#define PARTICLES_DENSITY_ERROR_GLSL

void errors_add(uint iteration, float over)
{
    float unit = float(SIM_ERROR_UNITS / max(state.live, 1u));
    atomicAdd(errors[iteration], uint(clamp(over, 0.0, 1.0) * unit));
}

void errors_raise(uint iteration, float over)
{
    atomicMax(errors[SIM_ERRORS_MAX + iteration], floatBitsToUint(max(over, 0.0)));
}

// What a tolerance is held against. The sum is that of 64 bits in two words: particles are many, and a
// tolerance may be small.
void errors_weigh(uint iteration, float over)
{
    if (!(over > 0.0)) return;
    uint units = uint(min(over, 255.0) * float(SIM_ERROR_FINE));
    uint before = atomicAdd(errors[SIM_ERRORS_LOW + iteration], units);
    if (before + units < before) atomicAdd(errors[SIM_ERRORS_HIGH + iteration], 1u);
    if (over > params.tolerance_max) atomicAdd(errors[SIM_ERRORS_ABOVE + iteration], 1u);
    errors_raise(iteration, over);
}
#endif
