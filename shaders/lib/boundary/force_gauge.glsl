// Adds what a solid does to a particle to its force gauge, and the opposite impulse to the solid. A
// kernel that binds no solid_sums, because another one moves its particles out of the solids, defines
// MEASURE_GAUGES.
// Buffers: measured, solid_sums, and those of boundary.glsl.
#ifndef BOUNDARY_FORCE_GAUGE_GLSL
#define BOUNDARY_FORCE_GAUGE_GLSL
#ifdef BOUNDARY_BOUNDARY_GLSL
#error "include force_gauge.glsl before boundary.glsl, which calls WALL_PUSHED"
#endif
#include "boundary/gauges.glsl"
#ifndef MEASURE_GAUGES
#include "boundary/solid_impulse.glsl"
#else
void solid_push(uint item, vec3 p, vec3 impulse) {}
#endif

// `at`, m: where the particle was.
void measure_push(uint item, vec3 at, vec3 moved)
{
    uint slot = items[item].flags >> SOLID_ITEM_FORCE_SHIFT;
    if (MEASURED > 1u && slot != 0u) measured[measure_at + slot].xyz += measure_mass * moved;
    if (FORCES) solid_push(item, at, -measure_mass * moved);
}
#define WALL_PUSHED(item, at, moved) measure_push(item, at, moved)
#include "boundary/boundary.glsl"
#endif
