// Accumulates the input of pressure and force gauges over a substep, GAUGE_VECTORS vec4 per particle: w of
// element 0 holds the sum of -lambda. For the solid of force gauge k, from 1, xyz of element k - 1 holds the
// particle's displacement before the sort, times its mass, kg m; that of element GAUGE_SLOTS + k - 1 holds
// the one after the sort. The two are of different particles, which is why a float must not sum them:
// predict_positions.comp clears and adds in the order before the sort, and the solve adds in the order after
// it. GAUGE_VECTORS, a constant, is 0 without such gauges.
// Buffers: params, gauge_accumulators.
#ifndef BOUNDARY_GAUGES_GLSL
#define BOUNDARY_GAUGES_GLSL

// Whether displacements of particles by solids are recorded.
const bool RECORD_SOLID_PUSHES = GAUGE_VECTORS > 1u || RECORD_SOLID_FORCES;

// Whether boundary_project.comp needs the displacement by the density of walls. Without solids it does not
// run, and boundary_sums has one element.
bool solids_need_wall_factor() { return HAS_SOLIDS && (RECORD_SOLID_PUSHES || params.has_friction != 0u); }

const uint GAUGE_SLOTS = GAUGE_VECTORS / 2u; // solids with a force gauge

uint gauge_particle_offset;
uint gauge_push_offset; // of the element of the first force gauge
float gauge_particle_mass;

void gauge_begin_particle(uint i, int fluid)
{
    gauge_particle_offset = i * GAUGE_VECTORS;
    gauge_push_offset = gauge_particle_offset + GAUGE_SLOTS;
    gauge_particle_mass = params.fluids[uint(clamp(fluid, 0, 15))].mass;
}

// Clears the accumulators of the particle, before the sort.
void gauge_begin_predicted_particle(uint i, int fluid)
{
    gauge_begin_particle(i, fluid);
    gauge_push_offset = gauge_particle_offset;
    for (uint k = 0u; k < GAUGE_VECTORS; k++) gauge_accumulators[gauge_particle_offset + k] = vec4(0.0);
}
#endif
