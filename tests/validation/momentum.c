/* G2, second part: quantities that one iteration must not change. */
#include "validate_internal.h"

static const char two_blocks[] =
    "{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
    " 'domain': {'min': [-1, -1, -1], 'max': [1, 1, 1]},"
    " 'solver': {'pre_stabilization': 0, 'substeps': 1, 'iterations': 1, 'artificial_pressure': "
    "0.05, 'max_correction': 1},"
    " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'jitter': 0.5,"
    " 'shape': {'box': {'min': [-0.25, -0.25, -0.25], 'max': [0, 0.25, 0.25]}}}},"
    " {'name': 'oil', 'density': %g, 'xsph': 0, 'fill': {'jitter': 0.5,"
    " 'shape': {'box': {'min': [0, -0.25, -0.25], 'max': [0.25, 0.25, 0.25]}}}}]}";

/* Corrections act in pairs along the line between two particles: they change neither the momentum
 * nor the angular momentum, also of particles of unequal masses. */
static void check_momentum(validate *v, double density, const char *fluids)
{
    vec3 *before;
    double sum[3] = {0}, turn[3] = {0}, size = 0.0, reach = 0.0;
    validate_world *world = validate_open(v, base_format(two_blocks, density));
    validate_read(world);
    before = world->x;
    world->x = NULL;
    validate_run(world, 1);
    validate_read(world);
    for (uint32_t i = 0; i < world->count; ++i) {
        double mass = world->fluid[i] == 0 ? 1.0 : density / 1000.0;
        const double p[3] = {(double)before[i].x, (double)before[i].y, (double)before[i].z};
        const double d[3] = {mass * ((double)world->x[i].x - p[0]),
                             mass * ((double)world->x[i].y - p[1]),
                             mass * ((double)world->x[i].z - p[2])};
        double length = sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
        for (int a = 0; a < 3; ++a) {
            sum[a] += d[a];
            turn[a] += p[(a + 1) % 3] * d[(a + 2) % 3] - p[(a + 2) % 3] * d[(a + 1) % 3];
        }
        size += length;
        reach += length * sqrt(p[0] * p[0] + p[1] * p[1] + p[2] * p[2]);
    }
    validate_at_most(v, sqrt(sum[0] * sum[0] + sum[1] * sum[1] + sum[2] * sum[2]) / size, 1e-6,
                     "%s: net momentum of the corrections, relative to the sum of magnitudes",
                     fluids);
    validate_at_most(
        v, sqrt(turn[0] * turn[0] + turn[1] * turn[1] + turn[2] * turn[2]) / reach, 1e-6,
        "%s: net angular momentum of the corrections, relative to the sum of magnitudes", fluids);
    base_free(before);
    validate_close(world);
}

static void check_lattice(validate *v)
{
    double worst = 0.0, density = 0.0;
    char *json =
        base_format("{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
                    " 'domain': {'min': [0, 0, 0], 'max': [0.6, 0.6, 0.6],"
                    " 'sides': {'x': 'periodic', 'y': 'periodic', 'z': 'periodic'}},"
                    " 'solver': {'substeps': 1, 'iterations': 4, 'allow_negative_pressure': true},"
                    " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
                    "'min': [0, 0, 0], 'max': [0.6, 0.6, 0.6]}}}}]}");
    validate_world *world = validate_open_run(v, json, 1);
    for (uint32_t i = 0; i < world->count; ++i) {
        density = fmax(density, fabs((double)world->density[i] / 1000.0 - 1.0));
        worst = fmax(worst, (double)vec3_length(world->v[i]) / 240.0 / 0.05);
    }
    validate_at_most(v, density, 1e-5, "rest lattice: maximum magnitude of the density constraint");
    validate_at_most(v, worst, 1e-6, "rest lattice: maximum displacement in one substep, d");
    validate_close(world);
}

/* Two particles at half the support: their density is too low for a correction, so only equation 13
 * acts. */
static void check_artificial_pressure(validate *v)
{
    validate_add_point(v, vec3_make(0.48f, 0.5f, 0.5f), vec3_make(0, 0, 0));
    validate_add_point(v, vec3_make(0.52f, 0.5f, 0.5f), vec3_make(0, 0, 0));
    validate_write_points(v, "pair");
    char *json = base_format("{'spacing': 0.05, 'gravity': [0, 0, 0], 'frame_rate': 240,"
                             " 'domain': {'min': [0, 0, 0], 'max': [1, 1, 1]},"
                             " 'solver': {'pre_stabilization': 0, 'substeps': 1, 'iterations': 1, "
                             "'artificial_pressure': 0.02, 'artificial_pressure_cutoff': 1},"
                             " 'fluids': [{'name': 'water', 'fill': {'file': 'pair.npy'}}]}");
    validate_world *world = validate_open_run(v, json, 1);
    validate_at_most(v, (0.04 - (double)(world->x[1].x - world->x[0].x)) / 0.05, -1e-5,
                     "pair under artificial pressure: approach, d (negative: repulsion)");
    validate_close(world);
}

void validate_momentum(validate *v)
{
    check_momentum(v, 1000.0, "one fluid");
    check_momentum(v, 400.0, "two fluids");
    check_lattice(v);
    check_artificial_pressure(v);
}
