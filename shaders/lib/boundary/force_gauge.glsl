// Adds the impulse of a solid on a particle to the solid's force gauge, and the opposite impulse to the
// solid. A shader that does not bind solid_impulse_sums, because another one moves its particles out of the
// solids, defines NO_SOLID_IMPULSE_SUMS.
// Buffers: gauge_accumulators, solid_impulse_sums, and those of boundary/boundary.glsl.
#ifndef BOUNDARY_FORCE_GAUGE_GLSL
#define BOUNDARY_FORCE_GAUGE_GLSL
#ifdef BOUNDARY_BOUNDARY_GLSL
#error "include force_gauge.glsl before boundary.glsl, which calls ON_SOLID_PUSH"
#endif
#include "boundary/gauges.glsl"
#ifndef NO_SOLID_IMPULSE_SUMS
#include "boundary/solid_impulse.glsl"
#else
void add_solid_impulse(uint item, vec3 p, vec3 impulse) {}
#endif

// Records that a solid has moved a particle by `moved`, m. `at`, m: the particle's position before.
void record_solid_push(uint item, vec3 at, vec3 moved)
{
    uint slot = items[item].flags >> SOLID_ITEM_FORCE_SHIFT;
    if (GAUGE_VECTORS > 1u && slot != 0u)
        gauge_accumulators[gauge_push_offset + slot - 1u].xyz += gauge_particle_mass * moved;
    if (RECORD_SOLID_FORCES) add_solid_impulse(item, at, -gauge_particle_mass * moved);
}
#define ON_SOLID_PUSH(item, at, moved) record_solid_push(item, at, moved)
#include "boundary/boundary.glsl"
#endif
