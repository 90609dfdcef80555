// Accumulates what gauges of pressure and force need of a substep, for every particle: element 0 of its
// MEASURED vec4 holds the sum of -lambda (w); element k holds how far the walls of force gauge k have
// moved it, in kg m (xyz). predict.comp clears them in the order before the sort; the solve adds in the
// order after it, since nothing but the sum over all particles is read. MEASURED, a constant, is 0 when
// nothing is measured.
// Buffers: params, measured.
#ifndef BOUNDARY_GAUGES_GLSL
#define BOUNDARY_GAUGES_GLSL

// Is what solids do to particles asked for?
const bool PUSHES = MEASURED > 1u || FORCES;

uint measure_at;
float measure_mass;

void measure_begin(uint i, int fluid)
{
    measure_at = i * MEASURED;
    measure_mass = params.fluids[uint(clamp(fluid, 0, 15))].mass;
}

void measure_clear()
{
    for (uint k = 0u; k < MEASURED; k++) measured[measure_at + k] = vec4(0.0);
}
#endif
