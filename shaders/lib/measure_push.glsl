// What a solid that moves a particle adds to its force gauge. After measure.glsl and before wall.glsl; needs
// items.

void measure_push(uint item, vec3 moved)
{
    uint slot = items[item].flags >> SOLID_ITEM_FORCE_SHIFT;
    if (MEASURED > 1u && slot != 0u) measured[measure_at + slot].xyz += measure_mass * moved;
}
#define WALL_PUSHED(item, moved) measure_push(item, moved)
