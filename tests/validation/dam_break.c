/* G6: dam breaks compared with Martin and Moyce's experiment, measured by the scene's own
   gauges. */
#include "reference_data.h"
#include "validate_internal.h"

#define G 9.81
#define PI 3.14159265358979323846
#define BASE_M 0.05715 /* a */

/* FLIP and APIC start from jittered seeds, and have half of PBF's tolerances. */
typedef struct solver {
    const char *method, *label;
    double jitter; /* d, of the initial positions */
    double share;  /* fraction of PBF's tolerances */
    bool grid;     /* its cells are two spacings wide */
    const char *steps;
} solver;

#define FOUR_STEPS "'substeps': 4, 'iterations': 4,"
static const solver pbf = {"pbf", "", 0, 1, false, FOUR_STEPS};
static const solver grids[] = {{"flip", "FLIP, ", 0.5, 0.5, true, FOUR_STEPS},
                               {"apic", "APIC, ", 0.5, 0.5, true, FOUR_STEPS}};
/* The speed of sound determines the substeps. */
static const solver wcsph = {"wcsph", "WCSPH, ", 0, 1, false, ""};

typedef struct dam_case {
    const solver *solver;
    uint32_t dimensions;
    uint32_t ratio;  /* n^2: height over base */
    uint32_t layers; /* spacings in a */
    double until;    /* t sqrt(g / a) */
    double jitter;   /* d, on top of the solver's: so small that it changes only rounding */
    curve front;
    curve height; /* over the width a / 5 next to the wall */
    curve corner; /* over the width a / 10 next to the wall */
} dam_case;

static char *dam_json(const dam_case *d)
{
    double spacing = BASE_M / d->layers, step = 0.02 * sqrt(BASE_M / G);
    double wide = (d->solver->grid ? 8 : 9) * spacing;
    double tall = d->ratio * BASE_M, high = 1.5 * tall;
    return base_format(
        "{'spacing': %.9g, 'frame_rate': %.9g,"
        " 'domain': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g],"
        " 'sides': {'x': ['closed', 'open'], 'y': ['closed', 'open'], 'z': 'periodic'}},"
        " 'solver': {'dimensions': %u, %s 'reference_dt': %.9g,"
        " 'method': '%s'},"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'jitter': %g, 'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}}}}],"
        " 'gauges': [{'name': 'front', 'front': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}},"
        "{'name': 'height', 'height': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}},"
        "{'name': 'corner', 'height': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}}]}",
        spacing, 0.5 / step, 9.0 * BASE_M, high, wide, d->dimensions, d->solver->steps, step,
        d->solver->method, d->jitter + d->solver->jitter, BASE_M, tall, wide, 9.0 * BASE_M, high,
        wide, 0.2 * BASE_M, high, wide, 0.1 * BASE_M, high, wide);
}

static void run_dam(validate *v, dam_case *d)
{
    weir_gauge gauges[VALIDATE_GAUGES];
    const double unit = sqrt(G / BASE_M);
    validate_world *world = validate_open(v, dam_json(d));
    while (world->stats.time_s * unit < d->until) {
        validate_run(world, 1);
        validate_read_gauges(world, gauges);
        double tau = world->stats.time_s * unit;
        double z = gauges[0].value[0] / BASE_M, h = gauges[1].value[0] / (d->ratio * BASE_M);
        curve_add(v, &d->front, tau * sqrt(d->ratio), z);
        curve_add(v, &d->height, tau, h);
        curve_add(v, &d->corner, tau, gauges[2].value[0] / (d->ratio * BASE_M));
        validate_add_line(v, "%s,%u,%u,%u,%g,%.6g,%.6g,%.6g", d->solver->method, d->dimensions,
                          d->ratio, d->layers, d->jitter, tau, z, h);
    }
    if (d->dimensions == 3)
        validate_report(v, world->stats.density_error_mean,
                        "%sn2 = %u, 3-D: mean density error at the end", d->solver->label,
                        d->ratio);
    validate_close(world);
}

/* Returns the relative root mean square error of the front, with the experiment's clock shifted
   forward by `shift`. */
static double front_error(const dam_case *d, const data_curve *data, double shift)
{
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < data->count; ++i) {
        double t = (double)data->points[i][0] - shift, z = (double)data->points[i][1];
        if (t < 0 || (double)data->points[i][0] > curve_end(&d->front)) continue;
        double off = curve_at(&d->front, t) / z - 1.0;
        sum += off * off, count += 1.0;
    }
    return count > 0 ? sqrt(sum / count) : INFINITY;
}

static double slope_between(const curve *c, double from, double to)
{
    double n = 0, t1 = 0, y1 = 0, tt = 0, ty = 0;
    for (size_t i = 0; i < c->t.count; ++i) {
        double t = c->t.items[i], y = c->y.items[i];
        if (t < from || t > to) continue;
        n += 1, t1 += t, y1 += y, tt += t * t, ty += t * y;
    }
    return (n * ty - t1 * y1) / (n * tt - t1 * t1);
}

/* Returns the largest difference of the height, with the experiment's clock shifted forward by
   `shift`. */
static double height_error(const dam_case *d, const curve *height, double shift)
{
    const data_curve *data = &data_martin_moyce_height[d->ratio - 1];
    double worst = 0.0;
    for (size_t i = 0; i < data->count; ++i)
        if ((double)data->points[i][0] <= curve_end(height))
            worst = fmax(worst, fabs(curve_at(height, (double)data->points[i][0] - shift) -
                                     (double)data->points[i][1]));
    return worst;
}

/* Returns how late the experiment's clock starts, in t sqrt(g / a). When the gate is gone, the
   pressure of the column is a series of cos(K x / a), K = (m + 1/2) pi, that vanishes at its free
   faces, and the water at the back falls at f g, f = 1 - sum 2 (-1)^m / (K cosh(K n^2)). The first
   measured height of n^2 = 2, a fall by a ninth of a, gives the time since then. (The first fall of
   n^2 = 1 is a ninth of the height, too much for f, and its column has the same base and gate.) */
static double clock_delay(void)
{
    const float *first = data_martin_moyce_height[1].points[0];
    double f = 1.0;
    for (int m = 0; m < 8; ++m) {
        double k = (m + 0.5) * PI;
        f -= (m % 2 ? -2.0 : 2.0) / (k * cosh(2.0 * k));
    }
    double fallen = 2.0 * (1.0 - (double)first[1]);
    return (double)first[0] - sqrt(2.0 * fallen / f);
}

static void check_front(validate *v, const dam_case *d)
{
    const data_curve *front = &data_martin_moyce_front[d->ratio - 1];
    const char *label = d->solver->label;
    double best = INFINITY, at = 0.0, share = d->solver->share;
    for (int i = -30; i <= 30; ++i) {
        double error = front_error(d, front, 0.01 * i);
        if (error < best) best = error, at = 0.01 * i;
    }
    const double delay = sqrt(d->ratio) * clock_delay();
    validate_at_most(v, front_error(d, front, delay), 0.05 * share,
                     "%sn2 = %u, a = %u d: front position, RMS relative error, clock %.2g late",
                     label, d->ratio, d->layers, delay);
    validate_report(v, front_error(d, front, 0.0),
                    "%sn2 = %u, a = %u d: front position, RMS relative error, published clock",
                    label, d->ratio, d->layers);
    validate_at_most(v, best, 0.06 * share,
                     "%sn2 = %u: front position, RMS relative error with the best time shift",
                     label, d->ratio);
    validate_report(v, at, "%sn2 = %u: best time shift T of the front (at most 0.3)", label,
                    d->ratio);
    if (d->ratio != 2) return;
    validate_report(v, front_error(d, &data_koshizuka_oka_front, 0.0),
                    "%sn2 = 2, a = %u d: front position, RMS relative error against Koshizuka and "
                    "Oka",
                    label, d->layers);
    validate_within(v, slope_between(&d->front, 1.43, 3.33), (validate_range){1.465, 0.275 * share},
                    "%sn2 = 2: front speed dZ/dT (experiment 1.319)", label);
}

static void free_dam(dam_case *d)
{
    curve_free(&d->front);
    curve_free(&d->height);
    curve_free(&d->corner);
}

/* Runs the front case, in 3-D. */
static void run_front_case(validate *v, const solver *solver, uint32_t ratio)
{
    dam_case d = {.solver = solver, .dimensions = 3, .ratio = ratio, .layers = 20};
    d.until = v->size == VALIDATE_WHOLE ? 4.3 : 3.4;
    if (ratio == 2 && v->size != VALIDATE_WHOLE) d.layers = 12, d.until = 2.6;
    run_dam(v, &d);
    check_front(v, &d);
    validate_report(v, height_error(&d, &d.height, clock_delay()),
                    "%sn2 = %u, 3-D, a = %u d: height H, maximum error", solver->label, ratio,
                    d.layers);
    free_dam(&d);
}

/* Runs the height case, in 2-D at half the spacing. The starts differ only in rounding, so the
   spread of the results shows how far rounding errors grow. */
static void run_height_case(validate *v, const solver *solver, uint32_t ratio)
{
    double most = 0.0, least = INFINITY, corner = 0.0, published = 0.0;
    uint32_t starts = v->size == VALIDATE_WHOLE && solver == &pbf ? 5 : 1;
    for (uint32_t i = 0; i < starts; ++i) {
        dam_case d = {
            .solver = solver, .dimensions = 2, .ratio = ratio, .layers = 40, .until = 4.3};
        d.jitter = 1e-6 * i;
        run_dam(v, &d);
        double off = height_error(&d, &d.height, clock_delay());
        most = fmax(most, off), least = fmin(least, off);
        published = fmax(published, height_error(&d, &d.height, 0.0));
        corner = fmax(corner, height_error(&d, &d.corner, clock_delay()));
        free_dam(&d);
    }
    validate_at_most(v, most, 0.05 * solver->share,
                     "%sn2 = %u, 2-D, a = 40 d: height H, maximum error, clock %.2g late",
                     solver->label, ratio, clock_delay());
    validate_report(v, published,
                    "%sn2 = %u, 2-D, a = 40 d: height H, maximum error, published clock",
                    solver->label, ratio);
    if (starts > 1)
        validate_report(
            v, least, "%sn2 = %u, 2-D, a = 40 d: height H, maximum error of the best of %u starts",
            solver->label, ratio, starts);
    validate_report(v, corner,
                    "%sn2 = %u, 2-D, a = 40 d: height H within a/10 of the wall, maximum error",
                    solver->label, ratio);
}

/* Runs both columns with each of several solvers. */
static void run_columns(validate *v, const solver *solvers, size_t count, const char *table)
{
    validate_add_line(v, "method,dimensions,n2,layers,jitter,tau,z,h");
    for (size_t i = 0; i < count; ++i)
        for (uint32_t ratio = 1; ratio <= 2; ++ratio) {
            run_front_case(v, &solvers[i], ratio);
            run_height_case(v, &solvers[i], ratio);
        }
    validate_write_table(v, table);
}

void validate_dam(validate *v)
{
    run_columns(v, &pbf, 1, "dam");
}

void validate_wcsph_dam(validate *v)
{
    run_columns(v, &wcsph, 1, "wcsph_dam");
}

void validate_flip_dam(validate *v)
{
    run_columns(v, grids, BASE_COUNT(grids), "flip_dam");
}
