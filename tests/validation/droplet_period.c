/* G5: period of a droplet. A drop of radius R that is stretched along one axis oscillates with
   Rayleigh's omega^2 = 8 sigma / (rho R^3), in 2-D 6 sigma / (rho R^3). It starts on the
   hexagonal lattice, because a cubic lattice resists the slow shear of the oscillation, and with a
   support of 2.4 d or more, because with 2 d every lattice does: planar_drops.c. */
#include "validate_internal.h"

#define PI 3.14159265358979323846
#define SIGMA 2.0   /* N/m */
#define FRAMES 200u /* two Rayleigh periods */

typedef struct droplet_case {
    uint32_t dimensions;
    double radius, support, relaxation; /* d, d, omega */
    const char *lattice;
    bool judged;
} droplet_case;

static double rayleigh_period(const droplet_case *d)
{
    double radius = 0.005 * d->radius, factor = d->dimensions == 3 ? 8.0 : 6.0;
    return 2.0 * PI * sqrt(1000.0 * radius * radius * radius / (factor * SIGMA));
}

static double frame_s(const droplet_case *d)
{
    return 2.0 * rayleigh_period(d) / FRAMES;
}

static char *droplet_json(const droplet_case *d)
{
    double radius = 0.005 * d->radius, across = d->dimensions == 3 ? 0.5 : 1.0;
    double rate = 0.25 * 2.0 * PI / rayleigh_period(d); /* at most a quarter of the radius */
    return base_format("{'spacing': 0.005, 'gravity': [0, 0, 0], 'frame_rate': %.9g,"
                       " 'domain': {'min': [-0.2, -0.2, -0.2], 'max': [0.2, 0.2, 0.2]},"
                       " 'solver': {'dimensions': %u, 'substeps': 4, 'artificial_pressure': 0,"
                       " 'support_radius': %g, 'relaxation': %g, 'reference_dt': %.9g},"
                       " 'fluids': [{'name': 'water', 'xsph': 0.01, 'surface_tension': %g,"
                       " 'fill': {'lattice': '%s', 'jitter': 0.1, 'velocity_gradient':"
                       " {'x': [%g, 0, 0], 'y': [0, %g, 0], 'z': [0, 0, %g]},"
                       " 'shape': {'sphere': {'radius': %g}}}}]}",
                       1.0 / frame_s(d), d->dimensions, d->support, d->relaxation,
                       0.25 * frame_s(d), SIGMA, d->lattice, rate, -across * rate,
                       d->dimensions == 3 ? -across * rate : 0.0, radius);
}

/* Returns the stretch of the drop: ln of a over the mean of the other axes. */
static double read_stretch(validate_world *world, uint32_t dimensions)
{
    double sum[3] = {0}, squares[3] = {0};
    validate_read(world);
    for (uint32_t i = 0; i < world->count; ++i) {
        const float p[3] = {world->x[i].x, world->x[i].y, world->x[i].z};
        for (int k = 0; k < 3; ++k)
            sum[k] += (double)p[k], squares[k] += (double)(p[k] * p[k]);
    }
    for (int k = 0; k < 3; ++k)
        squares[k] = squares[k] / world->count - pow(sum[k] / world->count, 2);
    double other = dimensions == 3 ? 0.5 * (squares[1] + squares[2]) : squares[1];
    return 0.5 * log(squares[0] / other);
}

/* Returns twice the time between the first two zero crossings in `frames`; 0 if there are fewer.
   The first frames are ignored. */
static double period_of(const double *stretch, uint32_t frames)
{
    double zeros[2] = {0};
    uint32_t found = 0;
    for (uint32_t i = 6; i <= frames && found < 2; ++i)
        if (stretch[i - 1] * stretch[i] < 0.0)
            zeros[found++] = i - 1 + stretch[i - 1] / (stretch[i - 1] - stretch[i]);
    return found == 2 ? 2.0 * (zeros[1] - zeros[0]) : 0.0;
}

static void check_period(validate *v, const droplet_case *d, double share)
{
    if (d->judged)
        validate_within(v, share, (validate_range){1.0, 0.1},
                        "%u-D droplet, R = %g d, h = %g d, %s lattice: period, ratio to Rayleigh's",
                        d->dimensions, d->radius, d->support, d->lattice);
    else
        validate_report(
            v, share,
            "%u-D droplet, R = %g d, h = %g d, %s lattice: period, ratio to Rayleigh's (0: none)",
            d->dimensions, d->radius, d->support, d->lattice);
}

static void run_droplet(validate *v, const droplet_case *d)
{
    static double stretch[FRAMES + 1];
    validate_world *world = validate_open(v, droplet_json(d));
    double period = 0.0;
    for (uint32_t frame = 1; frame <= FRAMES; ++frame) {
        if (v->size == VALIDATE_SMALL && period > 0.0) break;
        validate_run(world, 1);
        stretch[frame] = read_stretch(world, d->dimensions);
        validate_add_line(v, "%u,%g,%g,%s,%.6g,%.6g", d->dimensions, d->radius, d->support,
                          d->lattice, 2.0 * frame / FRAMES, stretch[frame]);
        period = period_of(stretch, frame);
    }
    check_period(v, d, period * 2.0 / FRAMES);
    validate_close(world);
}

void validate_droplet(validate *v)
{
    static const droplet_case droplets[] = {
        {3, 8, 2.5, 0.5, "hexagonal", true},   {2, 16, 2.5, 0.5, "hexagonal", true},
        {3, 10, 2.4, 0.52, "hexagonal", true}, {3, 10, 2, 0.65, "hexagonal", true},
        {2, 16, 2, 0.65, "cubic", false},      {3, 10, 2, 0.65, "cubic", false},
    };
    validate_add_line(v, "dimensions,radius,support,lattice,t_over_period,stretch");
    for (size_t i = 0; i < (v->size == VALIDATE_SMALL ? 1 : BASE_COUNT(droplets)); ++i)
        run_droplet(v, &droplets[i]);
    validate_write_table(v, "droplet");
}
