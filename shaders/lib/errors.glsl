// The over-density of an iteration, summed over all particles in whole numbers and, as float bits, the
// largest. Needs `state` and the array errors.

void errors_add(uint iteration, float over)
{
    float unit = float(SIM_ERROR_UNITS / max(state.live, 1u));
    atomicAdd(errors[iteration], uint(clamp(over, 0.0, 1.0) * unit));
}

void errors_raise(uint iteration, float over)
{
    atomicMax(errors[SIM_ERRORS_MAX + iteration], floatBitsToUint(max(over, 0.0)));
}
