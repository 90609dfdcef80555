// What the gauges of pressure and force need of a substep, summed for every particle: element 0 of its
// MEASURED vec4 holds the sum of -lambda (w), element k the kg m that walls of force gauge k have moved
// it (xyz). Predict writes in the order before the sort, the solve adds after it: only sums are read.
// Needs the constant MEASURED (0: nothing is measured), `params`, items and measured. Before wall.glsl.

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

void measure_push(uint item, vec3 way)
{
    uint slot = items[item].flags >> SOLID_ITEM_FORCE_SHIFT;
    if (MEASURED > 1u && slot != 0u) measured[measure_at + slot].xyz += measure_mass * way;
}
#define WALL_PUSHED(item, way) measure_push(item, way)
