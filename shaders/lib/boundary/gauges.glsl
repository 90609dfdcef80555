// Accumulates what gauges of pressure and force need of a substep, for every particle: element 0 of its
// GAUGE_VECTORS vec4 holds the sum of -lambda (w); element k holds how far the walls of force gauge k have
// moved it, in kg m (xyz). predict_positions.comp clears them in the order before the sort; the solve adds in the
// order after it, since nothing but the sum over all particles is read. GAUGE_VECTORS, a constant, is 0 when
// nothing is measured.
// Buffers: params, measured.
#ifndef BOUNDARY_GAUGES_GLSL
#define BOUNDARY_GAUGES_GLSL

// Is what solids do to particles asked for?
const bool RECORD_SOLID_PUSHES = GAUGE_VECTORS > 1u || RECORD_SOLID_FORCES;

uint gauge_particle_offset;
float gauge_particle_mass;

void gauge_begin_particle(uint i, int fluid)
{
    gauge_particle_offset = i * GAUGE_VECTORS;
    gauge_particle_mass = params.fluids[uint(clamp(fluid, 0, 15))].mass;
}

void gauge_clear_particle()
{
    for (uint k = 0u; k < GAUGE_VECTORS; k++) gauge_accumulators[gauge_particle_offset + k] = vec4(0.0);
}
#endif
