// What a solid that moves a particle adds to its force gauge, and gets from it. After measure.glsl and before
// wall.glsl; needs items and solid_sums. A shader that defines MEASURE_GAUGES binds no solid_sums: where they
// are asked for, another one moves its particles out of the solids.
#ifndef MEASURE_GAUGES
#include "solid_push.glsl"
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
