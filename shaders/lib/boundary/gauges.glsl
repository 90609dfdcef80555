// Accumulates the input of pressure and force gauges over a substep, GAUGE_VECTORS vec4 per particle: w of
// element 0 holds the sum of -lambda; xyz of element k holds the particle's displacement by the solid of
// force gauge k, times its mass, kg m. predict_positions.comp clears them in the order before the sort, and
// the solve adds in the order after it; only the sum over all particles is read. GAUGE_VECTORS, a constant,
// is 0 without such gauges.
// Buffers: params, gauge_accumulators.
#ifndef BOUNDARY_GAUGES_GLSL
#define BOUNDARY_GAUGES_GLSL

// Whether displacements of particles by solids are recorded.
const bool RECORD_SOLID_PUSHES = GAUGE_VECTORS > 1u || RECORD_SOLID_FORCES;

// Whether boundary_project.comp needs the displacement by the density of walls. Without solids it does not
// run, and boundary_sums has one element.
bool solids_need_wall_factor() { return HAS_SOLIDS && (RECORD_SOLID_PUSHES || params.has_friction != 0u); }

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
