/* G5: a droplet's period. Stretched along one axis, a drop of radius R swings with Rayleigh's
 * omega^2 = 8 sigma / (rho R^3), in the plane 6 sigma / (rho R^3). */
#include "validate.h"

#define PI 3.14159265358979323846
#define SIGMA 2.0 /* N/m */
#define FRAMES 160u
#define FRAME_S (1.0 / 240.0)

typedef struct droplet {
    uint32_t dimensions;
    double radius; /* d */
} droplet;

static double rayleigh_period(const droplet *d)
{
    double radius = 0.005 * d->radius, factor = d->dimensions == 3 ? 8.0 : 6.0;
    return 2.0 * PI * sqrt(1000.0 * radius * radius * radius / (factor * SIGMA));
}

static char *droplet_json(const droplet *d)
{
    double radius = 0.005 * d->radius, across = d->dimensions == 3 ? 0.5 : 1.0;
    double rate = 0.25 * 2.0 * PI / rayleigh_period(d); /* a quarter of the radius at most */
    return base_format("{'spacing': 0.005, 'gravity': [0, 0, 0], 'frame_rate': %g,"
                       " 'domain': {'min': [-0.2, -0.2, -0.2], 'max': [0.2, 0.2, 0.2]},"
                       " 'solver': {'dimensions': %u, 'substeps': 4, 'artificial_pressure': 0,"
                       " 'reference_dt': 0.00104},"
                       " 'fluids': [{'name': 'water', 'viscosity': 0.01, 'surface_tension': %g,"
                       " 'fill': {'jitter': 0.1, 'velocity_gradient': {'x': [%g, 0, 0],"
                       " 'y': [0, %g, 0], 'z': [0, 0, %g]},"
                       " 'shape': {'sphere': {'radius': %g}}}}]}",
                       1.0 / FRAME_S, d->dimensions, SIGMA, rate, -across * rate,
                       d->dimensions == 3 ? -across * rate : 0.0, radius);
}

/* How far the drop is stretched: a over the mean of the other axes, less 1. */
static weir_result read_stretch(validate_world *world, uint32_t dimensions, double *stretch)
{
    double sum[3] = {0}, squares[3] = {0};
    weir_result result = validate_read(world);
    if (result != WEIR_OK) return result;
    for (uint32_t i = 0; i < world->count; ++i) {
        const float p[3] = {world->x[i].x, world->x[i].y, world->x[i].z};
        for (int k = 0; k < 3; ++k)
            sum[k] += (double)p[k], squares[k] += (double)(p[k] * p[k]);
    }
    for (int k = 0; k < 3; ++k)
        squares[k] = squares[k] / world->count - pow(sum[k] / world->count, 2);
    double other = dimensions == 3 ? 0.5 * (squares[1] + squares[2]) : squares[1];
    *stretch = sqrt(squares[0] / other) - 1.0;
    return WEIR_OK;
}

/* Twice the time from the first crest to the valley behind it. */
static double period_of(const double *stretch)
{
    uint32_t crest = 1, valley;
    while (crest < FRAMES && stretch[crest + 1] >= stretch[crest])
        ++crest;
    for (valley = crest; valley < FRAMES && stretch[valley + 1] <= stretch[valley];)
        ++valley;
    return valley < FRAMES ? 2.0 * (valley - crest) * FRAME_S : 0.0;
}

static weir_result swing(validate *v, const droplet *d, base_text *table)
{
    static double stretch[FRAMES + 1];
    validate_world world = {0};
    bool ok = true;
    weir_result result;
    WEIR_TRY(validate_open(v, droplet_json(d), &world));
    for (uint32_t frame = 1; ok && frame <= FRAMES; ++frame) {
        WEIR_TRY(validate_run(&world, 1));
        WEIR_TRY(read_stretch(&world, d->dimensions, &stretch[frame]));
        ok = base_text_append(table, "%u,%g,%.6g,%.6g\n", d->dimensions, d->radius, frame * FRAME_S,
                              stretch[frame]);
    }
    validate_within(v, period_of(stretch) / rayleigh_period(d), (validate_range){1.0, 0.1},
                    "%u-D droplet, R = %g d: period over Rayleigh's", d->dimensions, d->radius);
    if (!ok) result = WEIR_MEMORY;
fail:
    validate_close(&world);
    return result;
}

weir_result validate_droplet(validate *v)
{
    static const droplet droplets[] = {{2, 16}, {3, 8}};
    base_text table = {0};
    weir_result result = WEIR_OK;
    if (!base_text_append(&table, "dimensions,radius,t_s,stretch\n")) return WEIR_MEMORY;
    for (size_t i = 0; i < BASE_COUNT(droplets); ++i)
        WEIR_TRY(swing(v, &droplets[i], &table));
    WEIR_TRY(validate_write_table(v, "droplet", &table));
fail:
    base_free(table.items);
    return result;
}
