/* G4: fluid at rest. With n iterations per step, a column of height H is compressed at height z by
 * C(z) = (D + epsilon) / (omega n) g dt^2 (H - z) (docs/equations.md). Particles at a wall are as
 * dense and as still as particles inside. */
#include "validate_internal.h"

#define G 9.81
#define SPACING 0.05

/* ---- the column ----------------------------------------------------------------------------- */

typedef struct column_case {
    const char *method;
    uint32_t dimensions, layers, iterations;
    double k;              /* g dt^2 / d */
    double omega, epsilon; /* only for PBF */
} column_case;

static char *column_json(const column_case *c)
{
    double dt = sqrt(c->k * SPACING / G), wide = 9 * SPACING;
    return base_format(
        "{'spacing': %g, 'frame_rate': %.9g,"
        " 'domain': {'min': [0, 0, 0], 'max': [%g, %g, %g],"
        " 'sides': {'x': 'periodic', 'y': ['closed', 'open'], 'z': '%s'}},"
        " 'solver': {'dimensions': %u, 'substeps': 1, 'iterations': %u, 'relaxation': %g,"
        " 'constraint_softening': %g, 'artificial_pressure': 0, 'long_range_correction': 'off', "
        "'reference_dt': %.9g,"
        " 'method': '%s'},"
        " 'fluids': [{'name': 'water', 'xsph': 0.1, 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [%g, %g, %g]}}}}]}",
        SPACING, 1.0 / dt, wide, (c->layers + 10) * SPACING, wide,
        c->dimensions == 3 ? "periodic" : "closed", c->dimensions, c->iterations, c->omega,
        c->epsilon, dt, c->method, wide, c->layers * SPACING, wide);
}

/* Returns the mean C of the particles around z = 3 d. */
static double compression_at_3d(const validate_world *world)
{
    double sum = 0.0, count = 0.0;
    for (uint32_t i = 0; i < world->count; ++i) {
        double layers = (double)world->x[i].y / SPACING;
        if (layers < 2.0 || layers > 4.0) continue;
        sum += (double)world->density[i] / 1000.0 - 1.0;
        count += 1.0;
    }
    return count > 0.0 ? sum / count : 0.0;
}

/* Compression waves have a period of 4 H / c, c = sqrt(omega n / (D + epsilon)) / dt. They decay
   for twelve periods; the result is the mean over four more. */
static void measure_column(validate *v, const column_case *c, double *measured, double *predicted)
{
    double sum = 0.0;
    validate_world *world = validate_open(v, column_json(c));
    validate_run(world, 1);
    *predicted = world->stats.predicted_compression * (c->layers - 3.0) / c->layers;
    double period = 4.0 * sqrt(c->layers * world->stats.predicted_compression / c->k);
    uint32_t frames = (uint32_t)ceil(period);
    validate_run(world, 12 * frames);
    for (uint32_t i = 0; i < 16; ++i) {
        validate_run(world, frames / 4 + 1);
        validate_read(world);
        sum += compression_at_3d(world) / 16.0;
    }
    *measured = sum;
    validate_close(world);
}

static void check_column(validate *v, const column_case *c)
{
    double measured = 0.0, predicted = 0.0;
    measure_column(v, c, &measured, &predicted);
    validate_within(v, measured / predicted, (validate_range){1.0, 0.15},
                    "%s, %u-D, H %u d, n %u, K %g, omega %g, eps %g: compression, ratio to theory",
                    c->method, c->dimensions, c->layers, c->iterations, c->k, c->omega, c->epsilon);
    validate_add_line(v, "%s,%u,%u,%u,%g,%g,%g,%.6g,%.6g", c->method, c->dimensions, c->layers,
                      c->iterations, c->k, c->omega, c->epsilon, predicted, measured);
}

/* By the law, half the step length with a quarter of the iterations gives the same compression. */
static void check_iteration_trade(validate *v)
{
    const column_case coarse = {"pbf", 2, 16, 16, 0.02, 0.65, 0.01},
                      fine = {"pbf", 2, 16, 4, 0.005, 0.65, 0.01};
    double a = 0.0, b = 0.0, predicted;
    measure_column(v, &coarse, &a, &predicted);
    measure_column(v, &fine, &b, &predicted);
    validate_within(v, b / a, (validate_range){1.0, 0.3},
                    "compression with dt/2 and n/4, ratio to that with dt and n");
}

static void check_columns(validate *v, const column_case *columns, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        check_column(v, &columns[i]);
}

void validate_hydrostatic(validate *v)
{
    static const column_case small[] = {
        {"pbf", 3, 8, 4, 0.02, 0.7, 0},
        {"pbf", 2, 8, 4, 0.02, 0.7, 0},
        {"pcisph", 2, 8, 8, 0.02, 1, 0},
        {"wcsph", 2, 8, 1, 0.02, 1, 0},
    };
    static const column_case coarse[] = {
        {"pbf", 3, 16, 4, 0.02, 0.7, 0},     {"pbf", 2, 16, 4, 0.02, 0.7, 0},
        {"pbf", 2, 16, 16, 0.02, 0.7, 0},    {"pbf", 2, 32, 4, 0.02, 0.7, 0},
        {"pbf", 2, 16, 4, 0.04, 0.65, 0.01}, {"pbf", 2, 16, 4, 0.02, 0.7, 0.6},
        {"pcisph", 3, 16, 4, 0.02, 1, 0},    {"pcisph", 2, 16, 8, 0.02, 1, 0},
        {"wcsph", 3, 16, 1, 0.02, 1, 0},     {"wcsph", 2, 16, 1, 0.02, 1, 0},
    };
    static const column_case full[] = {
        {"pbf", 3, 8, 4, 0.02, 0.7, 0},      {"pbf", 3, 24, 4, 0.02, 0.7, 0},
        {"pbf", 3, 24, 8, 0.02, 0.7, 0},     {"pbf", 3, 16, 4, 0.02, 1, 0.6},
        {"pbf", 3, 16, 4, 0.01, 0.65, 0},    {"pbf", 3, 16, 4, 0.02, 0.65, 0.01},
        {"pbf", 2, 16, 8, 0.02, 0.7, 0},     {"pbf", 2, 8, 4, 0.02, 0.7, 0},
        {"pbf", 2, 16, 4, 0.02, 0.5, 0},     {"pbf", 2, 16, 4, 0.01, 0.65, 0},
        {"pbf", 2, 16, 4, 0.02, 0.65, 0.01},
    };
    validate_add_line(v, "method,dimensions,layers,iterations,k,omega,epsilon,predicted,measured");
    check_columns(v, small, v->size == VALIDATE_SMALL ? BASE_COUNT(small) : 0);
    check_columns(v, coarse, v->size >= VALIDATE_COARSE ? BASE_COUNT(coarse) : 0);
    check_columns(v, full, v->size == VALIDATE_WHOLE ? BASE_COUNT(full) : 0);
    if (v->size >= VALIDATE_COARSE) check_iteration_trade(v);
    validate_write_table(v, "hydrostatic");
}

/* ---- walls ---------------------------------------------------------------------------------- */

#define BOX 0.5 /* m, of the tank's floor */

#define PAIR ", 'kernel': 'poly6', 'support_radius': 2"

typedef struct tank_case {
    const char *name, *solver; /* more solver settings */
    double xsph;
    uint32_t frames; /* until the fluid rests */
    bool still;      /* the fluid must come to rest; otherwise its creep is only reported */
    bool corrected;  /* by the long-range correction: the law does not apply */
} tank_case;

static char *tank_json(const tank_case *t)
{
    return base_format(
        "{'spacing': 0.05, 'frame_rate': 60,"
        " 'domain': {'min': [0, 0, 0], 'max': [0.5, 1, 0.5], 'sides': {'y': ['closed', 'open']}},"
        " 'solver': {'substeps': 4, 'iterations': 4%s},"
        " 'fluids': [{'name': 'water', 'xsph': %g, 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.5, 0.4, 0.5]}}}}]}",
        t->solver, t->xsph);
}

typedef struct layer_sums {
    double density, speed, nearest, height, count;
} layer_sums;

static double nearest_of(const validate_world *world, uint32_t i)
{
    double nearest = INFINITY;
    for (uint32_t j = 0; j < world->count; ++j)
        if (j != i)
            nearest = fmin(nearest, (double)vec3_length(vec3_sub(world->x[i], world->x[j])));
    return nearest;
}

static void add_particle(const validate_world *world, uint32_t i, layer_sums *sum, double speed)
{
    sum->density += (double)world->density[i] / 1000.0 - 1.0;
    sum->speed += speed;
    sum->nearest += nearest_of(world, i);
    sum->height += (double)world->x[i].y;
    sum->count += 1.0;
}

/* Not hypot, which needs glibc 2.35: docs/packages.md. */
static double length_2d(float x, float y)
{
    return sqrt((double)x * (double)x + (double)y * (double)y);
}

/* Sorts particles into the first layers on the floor and at the sides, away from edges, and
   those out of the walls' range. */
static void sort_layers(const validate_world *world, layer_sums *floor, layer_sums *side,
                        layer_sums *bulk)
{
    const double near = 0.8 * SPACING, far = 2.2 * SPACING, top = 0.4 - 2.2 * SPACING;
    for (uint32_t i = 0; i < world->count; ++i) {
        vec3 p = world->x[i], u = world->v[i];
        double x = fmin((double)p.x, BOX - (double)p.x), z = fmin((double)p.z, BOX - (double)p.z);
        double across = length_2d(u.x, u.z);
        if ((double)p.y > top) continue;
        if ((double)p.y < near && x > far && z > far) add_particle(world, i, floor, across);
        if ((double)p.y > far && x < near && z > far)
            add_particle(world, i, side, length_2d(u.y, u.z));
        if ((double)p.y > far && z < near && x > far)
            add_particle(world, i, side, length_2d(u.y, u.x));
        if ((double)p.y > 1.5 * SPACING && x > 1.5 * SPACING && z > 1.5 * SPACING)
            add_particle(world, i, bulk, (double)vec3_length(u));
    }
}

/* Checks that the first layer on the floor has the compression that the law predicts. */
static void check_floor(validate *v, const tank_case *t, const validate_world *world,
                        const layer_sums *floor)
{
    double law = world->stats.predicted_compression * (1.0 - floor->height / floor->count / 0.4);
    if (t->corrected) return;
    validate_within(v, floor->density / floor->count / law, (validate_range){1.0, 0.1},
                    "%s: first layer on the floor, compression, ratio to theory", t->name);
}

/* Runs the tank to rest. */
static void run_tank(validate *v, const tank_case *t)
{
    layer_sums floor = {0}, side = {0}, bulk = {0};
    const char *name = t->name;
    validate_world *world = validate_open(v, tank_json(t));
    validate_run(world, v->size == VALIDATE_WHOLE ? 540 : t->frames);
    for (uint32_t i = 0; i < 4; ++i) {
        validate_run(world, 5);
        validate_read(world);
        sort_layers(world, &floor, &side, &bulk);
    }
    validate_within(v, floor.density / floor.count, (validate_range){0.0, 0.05},
                    "%s: first layer on the floor, mean rho/rho0 - 1", name);
    validate_within(v, side.density / side.count, (validate_range){0.0, 0.05},
                    "%s: first layer at the sides, mean rho/rho0 - 1", name);
    double inner = bulk.nearest / bulk.count;
    validate_within(v, floor.nearest / floor.count / inner, (validate_range){1.0, 0.1},
                    "%s: nearest-neighbour distance on the floor, ratio to the interior", name);
    validate_within(v, side.nearest / side.count / inner, (validate_range){1.0, 0.1},
                    "%s: nearest-neighbour distance at the sides, ratio to the interior", name);
    /* The centre of mass gives a finer height than a gauge, which has steps of a ninth of a
       spacing. */
    double creep = (floor.speed + side.speed) / (floor.count + side.count) / sqrt(G * SPACING);
    double inside = bulk.speed / bulk.count / sqrt(G * SPACING);
    double height = world->stats.centre_of_mass_m[1] / 0.2;
    if (t->still) {
        validate_at_most(v, creep, 0.02, "%s: mean tangential speed at the walls, sqrt(g d)", name);
        validate_at_most(v, inside, 0.02, "%s: mean interior speed, sqrt(g d)", name);
        validate_within(v, height, (validate_range){1.0, 0.01},
                        "%s: height of the pool, ratio to that of the fill", name);
        check_floor(v, t, world, &floor);
    } else {
        validate_report(v, creep, "%s: mean tangential speed at the walls, sqrt(g d)", name);
        validate_report(v, inside, "%s: mean interior speed, sqrt(g d)", name);
        validate_report(v, height, "%s: height of the pool, ratio to that of the fill", name);
    }
    validate_close(world);
}

void validate_walls(validate *v)
{
    static const tank_case tanks[] = {
        /* The initial motion lasts for 9 s. */
        {"defaults", "", 0, 540, true, false},
        {"long-range correction", ", 'long_range_correction': 'on'", 0, 540, true, true},
        {"the paper's kernels", PAIR ", 'artificial_pressure': 0.0014", 0.01, 180, false, false},
    };
    for (size_t i = 0; i < BASE_COUNT(tanks); ++i)
        run_tank(v, &tanks[i]);
}

/* ---- pools ---------------------------------------------------------------------------------- */

static char *pool_json(uint32_t substeps, bool multigrid)
{
    return base_format(
        "{'spacing': 0.04, 'frame_rate': 60,"
        " 'domain': {'min': [0, 0, 0], 'max': [0.36, 1.2, 0.36], 'sides':"
        " {'x': 'periodic', 'y': ['closed', 'open'], 'z': 'periodic'}},"
        " 'solver': {'substeps': %u, 'iterations': 4, 'long_range_correction': '%s'},"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [0.36, 1, 0.36]}}}}]}",
        substeps, multigrid ? "on" : "off");
}

/* Averages over the second after a given number of frames. */
typedef struct pool_state {
    double mean, floor, predicted;
    uint32_t recommended_substeps;
} pool_state;

static void run_pool(validate *v, char *json, uint32_t frames, pool_state *s)
{
    validate_world *world = validate_open(v, json);
    validate_run(world, frames);
    for (uint32_t frame = 0; frame < 60; ++frame) {
        validate_run(world, 1);
        s->mean += world->stats.density_error_mean / 60.0;
        if (frame % 6) continue;
        validate_read(world);
        double sum = 0.0, count = 0.0;
        for (uint32_t i = 0; i < world->count; ++i) {
            if (world->x[i].y > 1.5f * world->info.spacing_m) continue;
            sum += (double)world->density[i] / 1000.0 - 1.0;
            count += 1.0;
        }
        s->floor += sum / fmax(count, 1.0) / 10.0;
    }
    s->predicted = world->stats.predicted_compression;
    s->recommended_substeps = world->stats.recommended_substeps;
    validate_close(world);
}

static void run_settled_dam(validate *v)
{
    pool_state s = {0};
    run_pool(v,
             base_format("{'spacing': 0.05, 'frame_rate': 60,"
                         " 'domain': {'min': [0, 0, 0], 'max': [1.6, 1.6, 0.45],"
                         " 'sides': {'z': 'periodic'}},"
                         " 'solver': {'substeps': 4, 'iterations': 4},"
                         " 'fluids': [{'name': 'water', 'xsph': 0.05, 'fill': {'shape': {'box': {"
                         "'min': [0, 0, 0], 'max': [0.8, 0.8, 0.45]}}}}]}"),
             600, &s);
    /* 0.8 m of water end up 0.4 m deep. */
    validate_within(v, s.mean / (0.25 * s.predicted), (validate_range){1.0, 0.15},
                    "dam break at rest: mean density error, ratio to theory");
}

void validate_pool_at_rest(validate *v)
{
    pool_state plain = {0}, stiff = {0}, corrected = {0};
    run_pool(v, pool_json(4, false), 120, &plain);
    validate_within(v, plain.mean / (0.5 * plain.predicted), (validate_range){1.0, 0.15},
                    "pool of 1 m, 4 substeps: mean density error, ratio to theory");
    validate_report(v, plain.floor, "pool of 1 m, 4 substeps: compression at the floor");
    run_pool(v, pool_json(plain.recommended_substeps, false), 120, &stiff);
    validate_at_most(v, stiff.floor, 0.01,
                     "pool of 1 m, %u substeps (recommended): compression at the floor",
                     plain.recommended_substeps);
    run_pool(v, pool_json(4, true), 120, &corrected);
    validate_at_most(
        v, corrected.mean / plain.mean, 0.5,
        "pool of 1 m, long-range correction: mean density error, ratio to that without");
    validate_report(v, corrected.floor,
                    "pool of 1 m, long-range correction: compression at the floor");
    run_settled_dam(v);
}
