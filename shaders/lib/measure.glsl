// What gauges of pressure and force need of a substep, summed for every particle: element 0 of its MEASURED
// vec4 holds the sum of -lambda (w); element k holds how far the walls of force gauge k have moved it, in kg
// m (xyz). predict.comp clears them in the order before the sort; the solve adds in the order after it, since
// nothing but the sum over all particles is read. Needs the constant MEASURED (0: nothing is measured),
// `params` and measured.

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
