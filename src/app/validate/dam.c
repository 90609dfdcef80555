/* G6 and G7: dam breaks against experiments and Ritter's theory, read by the scene's own gauges. */
#include "data.h"
#include "validate_internal.h"

#include <stdlib.h>

#define G 9.81

/* A curve as simulated. */
typedef struct curve {
    BASE_ARRAY(double) t;
    BASE_ARRAY(double) y;
} curve;

static bool add_point(curve *c, double t, double y)
{
    return BASE_PUSH(&c->t, t) && BASE_PUSH(&c->y, y);
}

static void free_curve(curve *c)
{
    BASE_ARRAY_FREE(&c->t);
    BASE_ARRAY_FREE(&c->y);
}

/* Linear between points, held at the ends. */
static double curve_at(const curve *c, double t)
{
    size_t i = 1;
    if (c->t.count == 0) return 0.0;
    if (c->t.count == 1 || t <= c->t.items[0]) return c->y.items[0];
    while (i + 1 < c->t.count && c->t.items[i] < t)
        ++i;
    double share = (t - c->t.items[i - 1]) / (c->t.items[i] - c->t.items[i - 1]);
    share = fmin(share, 1.0);
    return c->y.items[i - 1] + share * (c->y.items[i] - c->y.items[i - 1]);
}

static double end_of(const curve *c)
{
    return c->t.count ? c->t.items[c->t.count - 1] : 0.0;
}

/* ---- Martin and Moyce ----------------------------------------------------------------------- */

#define BASE_M 0.05715 /* a */

typedef struct dam {
    uint32_t dimensions;
    uint32_t ratio;  /* n^2: height over base */
    uint32_t layers; /* spacings in a */
    double until;    /* t sqrt(g / a) */
    double jitter;   /* d, of the start: small enough to change nothing but roundings */
    curve front;
    curve height; /* of the fifth of a next to the wall */
    curve corner; /* of its nearer half */
} dam;

static char *dam_json(const dam *d)
{
    double spacing = BASE_M / d->layers, step = 0.02 * sqrt(BASE_M / G), wide = 8 * spacing;
    double tall = d->ratio * BASE_M, high = 1.5 * tall;
    return base_format(
        "{'spacing': %.9g, 'frame_rate': %.9g,"
        " 'domain': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g],"
        " 'sides': {'x': ['closed', 'open'], 'y': ['closed', 'open'], 'z': 'periodic'}},"
        " 'solver': {'dimensions': %u, 'substeps': 4, 'iterations': 4, 'reference_dt': %.9g},"
        " 'fluids': [{'name': 'water', 'viscosity': 0, 'fill': {'jitter': %g, 'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}}}}],"
        " 'gauges': [{'name': 'front', 'front': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}},"
        "{'name': 'height', 'height': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}},"
        "{'name': 'corner', 'height': {'min': [0, 0, 0], 'max': [%.9g, %.9g, %.9g]}}]}",
        spacing, 0.5 / step, 9.0 * BASE_M, high, wide, d->dimensions, step, d->jitter, BASE_M, tall,
        wide, 9.0 * BASE_M, high, wide, 0.2 * BASE_M, high, wide, 0.1 * BASE_M, high, wide);
}

static weir_result run_dam(validate *v, dam *d, base_text *table)
{
    validate_world world = {0};
    weir_gauge gauges[VALIDATE_GAUGES];
    weir_result result;
    const double unit = sqrt(G / BASE_M);
    bool ok = true;
    WEIR_TRY(validate_open(v, dam_json(d), &world));
    while (ok && world.stats.time_s * unit < d->until) {
        WEIR_TRY(validate_run(&world, 1));
        WEIR_TRY(validate_gauges(&world, gauges));
        double tau = world.stats.time_s * unit;
        double z = gauges[0].value[0] / BASE_M, h = gauges[1].value[0] / (d->ratio * BASE_M);
        ok = add_point(&d->front, tau * sqrt(d->ratio), z) && add_point(&d->height, tau, h) &&
             add_point(&d->corner, tau, gauges[2].value[0] / (d->ratio * BASE_M)) &&
             base_text_append(table, "%u,%u,%u,%g,%.6g,%.6g,%.6g\n", d->dimensions, d->ratio,
                              d->layers, d->jitter, tau, z, h);
    }
    if (d->dimensions == 3)
        validate_report(v, world.stats.density_error_mean, "n2 = %u: mean over-density at the end",
                        d->ratio);
    if (!ok) result = WEIR_MEMORY;
fail:
    validate_close(&world);
    return result;
}

/* Relative root mean square of the front with the experiment's clock set on by `shift`. */
static double front_error(const dam *d, const data_curve *data, double shift)
{
    double sum = 0.0, count = 0.0;
    for (size_t i = 0; i < data->count; ++i) {
        double t = (double)data->points[i][0] - shift, z = (double)data->points[i][1];
        if (t < 0 || (double)data->points[i][0] > end_of(&d->front)) continue;
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

static double height_off(const dam *d, const curve *height)
{
    const data_curve *data = &data_martin_moyce_height[d->ratio - 1];
    double worst = 0.0;
    for (size_t i = 0; i < data->count; ++i)
        if ((double)data->points[i][0] <= end_of(height))
            worst = fmax(worst, fabs(curve_at(height, (double)data->points[i][0]) -
                                     (double)data->points[i][1]));
    return worst;
}

static void judge_front(validate *v, const dam *d)
{
    const data_curve *front = &data_martin_moyce_front[d->ratio - 1];
    double best = INFINITY, at = 0.0;
    for (int i = -30; i <= 30; ++i) {
        double error = front_error(d, front, 0.01 * i);
        if (error < best) best = error, at = 0.01 * i;
    }
    validate_at_most(v, front_error(d, front, 0.0), 0.12, "n2 = %u, a = %u d: front, RMS", d->ratio,
                     d->layers);
    validate_at_most(v, best, 0.06, "n2 = %u: front, RMS with the clock shifted", d->ratio);
    validate_report(v, at, "n2 = %u: that shift of T, at most 0.3", d->ratio);
    if (d->ratio == 2)
        validate_within(v, slope_between(&d->front, 1.43, 3.33), (validate_range){1.465, 0.275},
                        "n2 = 2: slope dZ/dT (measured 1.319)");
}

static void free_dam(dam *d)
{
    free_curve(&d->front);
    free_curve(&d->height);
    free_curve(&d->corner);
}

/* The front, in space. */
static weir_result break_dam(validate *v, uint32_t ratio, base_text *table)
{
    dam d = {.dimensions = 3, .ratio = ratio, .layers = 20, .until = v->full ? 4.3 : 3.4};
    if (ratio == 2 && !v->full) d.layers = 12, d.until = 2.6;
    weir_result result = run_dam(v, &d, table);
    if (result == WEIR_OK) {
        judge_front(v, &d);
        validate_report(v, height_off(&d, &d.height),
                        "n2 = %u, a = %u d: height, largest difference of H", ratio, d.layers);
    }
    free_dam(&d);
    return result;
}

/* The height, in the plane at half the spacing, from starts that differ by less than a float tells
 * from rest: what roundings grow to is in the spread. */
static weir_result drop_column(validate *v, uint32_t ratio, base_text *table)
{
    double most = 0.0, least = INFINITY, corner = 0.0;
    uint32_t starts = v->full ? 5 : 1;
    weir_result result = WEIR_OK;
    for (uint32_t i = 0; result == WEIR_OK && i < starts; ++i) {
        dam d = {.dimensions = 2, .ratio = ratio, .layers = 40, .until = 4.3, .jitter = 1e-6 * i};
        result = run_dam(v, &d, table);
        double off = height_off(&d, &d.height);
        most = fmax(most, off), least = fmin(least, off);
        corner = fmax(corner, height_off(&d, &d.corner));
        free_dam(&d);
    }
    if (result != WEIR_OK) return result;
    validate_at_most(v, most, 0.05, "n2 = %u, 2-D, a = 40 d: height, largest difference of H",
                     ratio);
    validate_report(v, least, "n2 = %u: that of the best start", ratio);
    validate_report(v, corner, "n2 = %u: the worst over the tenth of a next to the wall", ratio);
    return WEIR_OK;
}

weir_result validate_dam(validate *v)
{
    base_text table = {0};
    weir_result result = WEIR_OK;
    if (!base_text_append(&table, "dimensions,n2,layers,jitter,tau,z,h\n")) return WEIR_MEMORY;
    for (uint32_t ratio = 1; ratio <= 2; ++ratio) {
        WEIR_TRY(break_dam(v, ratio, &table));
        WEIR_TRY(drop_column(v, ratio, &table));
    }
    WEIR_TRY(validate_write_table(v, "dam", &table));
fail:
    base_free(table.items);
    return result;
}

/* ---- Ritter --------------------------------------------------------------------------------- */

#define DEPTH_M 0.3 /* h0: 30 d */
#define RITTER_D (DEPTH_M / 30)
#define STATIONS 13

/* Places x / h0 of the gauges about the dam; the last stands at the dam itself. */
static const double stations[STATIONS] = {-5.2, -4.4, -3.6, -3.2, -2.8, -2.4, -2.0,
                                          -1.2, -0.4, 0.8,  1.6,  2.6,  0.0};

static bool append_station(base_text *json, double x)
{
    return base_text_append(json,
                            "%s{'name': 'h%g', 'height': {'min': [%g, 0, 0],"
                            " 'max': [%g, 0.4, 0.1]}}",
                            json->items[json->count - 1] == '[' ? "" : ",", x,
                            x * DEPTH_M - 2 * RITTER_D, x * DEPTH_M + 2 * RITTER_D);
}

static char *ritter_json(void)
{
    base_text json = {0};
    bool ok = base_text_append(
        &json,
        "{'spacing': %g, 'frame_rate': 200,"
        " 'domain': {'min': [-1.8, 0, 0], 'max': [2.4, 0.45, 0.1],"
        " 'sides': {'x': ['closed', 'open'], 'y': ['closed', 'open']}},"
        " 'solver': {'dimensions': 2, 'substeps': 5, 'iterations': 4, 'reference_dt': 0.001},"
        " 'fluids': [{'name': 'water', 'viscosity': 0, 'fill': {'shape': {'box': {"
        "'min': [-1.8, 0, 0], 'max': [0, %g, 0.1]}}}}], 'gauges': [",
        RITTER_D, DEPTH_M);
    for (size_t i = 0; ok && i < STATIONS; ++i)
        ok = append_station(&json, stations[i]);
    ok = ok && base_text_append(&json, "]}");
    if (ok) return json.items;
    base_free(json.items);
    return NULL;
}

/* h / h0 at x / (t sqrt(g h0)). */
static double ritter_depth(double speed)
{
    if (speed <= -1.0) return 1.0;
    return speed >= 2.0 ? 0.0 : (2.0 - speed) * (2.0 - speed) / 9.0;
}

/* Adds the depths from `from` to `to` in t sqrt(g / h0) to their means, and tells the mean time. */
static weir_result mean_depths(validate_world *world, double from, double to,
                               double depths[STATIONS], double *mean_time)
{
    weir_gauge gauges[VALIDATE_GAUGES];
    const double unit = sqrt(G / DEPTH_M);
    uint32_t taken = 0;
    weir_result result = WEIR_OK;
    memset(depths, 0, STATIONS * sizeof *depths);
    *mean_time = 0.0;
    while (world->stats.time_s * unit < to) {
        WEIR_TRY(validate_run(world, 1));
        if (world->stats.time_s * unit < from) continue;
        WEIR_TRY(validate_gauges(world, gauges));
        for (size_t i = 0; i < STATIONS; ++i)
            depths[i] += gauges[i].value[0] / DEPTH_M;
        *mean_time += world->stats.time_s * unit;
        ++taken;
    }
    *mean_time /= taken;
    for (size_t i = 0; i < STATIONS; ++i)
        depths[i] /= taken;
fail:
    return result;
}

/* x / (t c0) where the depth passes 0.9 h0, between gauges of the mean profile. */
static double tail_of(const double *depths, double time)
{
    for (size_t i = 1; i + 1 < STATIONS; ++i) {
        if (depths[i - 1] < 0.9 || depths[i] > 0.9) continue;
        double share = (depths[i - 1] - 0.9) / (depths[i - 1] - depths[i]);
        return (stations[i - 1] + share * (stations[i] - stations[i - 1])) / time;
    }
    return 0.0;
}

/* Theory has the water fall as if it had no vertical inertia, and the flow comes near it with time:
 * the reservoir of 6 h0 leaves the dam alone for t sqrt(g / h0) = 6 at least. */
weir_result validate_ritter(validate *v)
{
    validate_world world = {0};
    base_text table = {0};
    double depths[STATIONS], mean_time;
    const double tail = 2.0 - 3.0 * sqrt(0.9); /* theory: 0.9 h0 is at x = tail t sqrt(g h0) */
    weir_result result;
    WEIR_TRY(validate_open(v, ritter_json(), &world));
    WEIR_TRY(mean_depths(&world, 3.0, 3.3, depths, &mean_time));
    validate_within(v, tail_of(depths, mean_time) / tail, (validate_range){1.0, 0.05},
                    "speed of the tail, at 0.9 h0, over theory, at t sqrt(g/h0) from 3 to 3.3");
    validate_report(v, depths[STATIONS - 1] / (4.0 / 9.0), "depth at the dam over 4/9 h0, then");
    WEIR_TRY(mean_depths(&world, 5.0, 5.5, depths, &mean_time));
    bool ok = base_text_append(&table, "x_over_t_c0,h,theory\n");
    for (size_t i = 0; ok && i < STATIONS; ++i) {
        double speed = stations[i] / mean_time;
        ok = base_text_append(&table, "%.6g,%.6g,%.6g\n", speed, depths[i], ritter_depth(speed));
    }
    WEIR_TRY(ok ? validate_write_table(v, "ritter", &table) : WEIR_MEMORY);
    validate_within(v, depths[STATIONS - 1] / (4.0 / 9.0), (validate_range){1.0, 0.05},
                    "depth at the dam over 4/9 h0, from 5 to 5.5");
    validate_report(v, tail_of(depths, mean_time) / tail, "speed of the tail, then");
fail:
    base_free(table.items);
    validate_close(&world);
    return result;
}

/* ---- SPHERIC test 2 ------------------------------------------------------------------------- */

#define SPHERIC_RATE 50.0  /* frames a second */
#define SPHERIC_BOX 0.8245 /* m: the face of the box that the front meets */

static char *spheric_json(double spacing)
{
    static const double places[] = {2.638, 0.992, 1.488, 0.496};
    static const char *const names[] = {"H4", "H2", "H1", "H3"};
    base_text json = {0};
    bool ok = base_text_append(
        &json,
        "{'spacing': %g, 'frame_rate': %g,"
        " 'domain': {'min': [0, 0, 0], 'max': [3.22, 1, 1], 'sides': {'y': ['closed', 'open']}},"
        " 'solver': {'substeps': %d, 'iterations': 4},"
        " 'fluids': [{'name': 'water', 'fill': {'shape': {'box': {"
        "'min': [1.992, 0, 0], 'max': [3.22, 0.55, 1]}}}}],"
        " 'solids': [{'name': 'box', 'shape': {'box': {"
        "'min': [0.6635, 0, 0.2955], 'max': [0.8245, 0.161, 0.6985]}}}],"
        " 'gauges': [{'name': 'box', 'force': {'solid': 'box'}}",
        spacing, SPHERIC_RATE, (int)ceil(0.16 / spacing));
    for (size_t i = 0; ok && i < 4; ++i)
        ok = base_text_append(&json,
                              ",{'name': '%s', 'height': {'min': [%g, 0, %g],"
                              " 'max': [%g, 1, %g]}}",
                              names[i], places[i] - 2 * spacing, 0.5 - 2 * spacing,
                              places[i] + 2 * spacing, 0.5 + 2 * spacing);
    ok = ok && base_text_append(&json,
                                ",{'name': 'tip', 'front': {'min': [0, 0, %g],"
                                " 'max': [3.22, 1, %g], 'axis': '-x'}}]}",
                                0.5 - 4 * spacing, 0.5 + 4 * spacing);
    if (ok) return json.items;
    base_free(json.items);
    return NULL;
}

/* Mean difference over the largest measured height. */
static double height_error(const curve *got, const data_curve *data)
{
    double sum = 0.0, most = 0.0, count = 0.0;
    for (size_t i = 0; i < data->count; ++i) {
        double t = (double)data->points[i][0], h = (double)data->points[i][1];
        if (t > end_of(got)) break;
        sum += fabs(curve_at(got, t) - h), count += 1.0;
        most = fmax(most, h);
    }
    return sum / count / most;
}

/* When the water at H1 and H2 (gauges 3 and 2) first is as high as `level`, to a substep; INFINITY
 * before. */
typedef struct arrival {
    double level, h1, h2;
} arrival;

static weir_result note_arrivals(validate_world *world, arrival *at)
{
    weir_gauge gauges[VALIDATE_GAUGES];
    const uint32_t substeps = world->stats.substeps_in_frame;
    const double step = 1.0 / (SPHERIC_RATE * substeps);
    weir_result result = WEIR_OK;
    for (uint32_t k = 0; k < substeps && !isfinite(at->h2); ++k) {
        uint32_t count = VALIDATE_GAUGES;
        double t = world->stats.time_s - (substeps - 1 - k) * step;
        WEIR_TRY(weir_sim_gauges(world->sim, k, gauges, &count));
        if (!isfinite(at->h1) && gauges[3].value[0] >= 0.999 * at->level) at->h1 = t;
        if (gauges[2].value[0] >= 0.999 * at->level) at->h2 = t;
    }
fail:
    return result;
}

/* When the tip in the middle of the tank, gauge 5, stands at the box, to a frame's share. */
static double time_at_box(const curve *tip, double spacing)
{
    const double way = 3.22 - SPHERIC_BOX - 0.5 * spacing;
    size_t i = 0;
    while (i < tip->y.count && tip->y.items[i] < way)
        ++i;
    if (i == 0 || i == tip->y.count) return INFINITY;
    double t = tip->t.items[i - 1], y = tip->y.items[i - 1];
    return t + (tip->t.items[i] - t) * (way - y) / (tip->y.items[i] - y);
}

static weir_result run_spheric(validate *v, double spacing, double until)
{
    validate_world world = {0};
    base_text table = {0};
    weir_gauge gauges[VALIDATE_GAUGES];
    curve h4 = {0}, h2 = {0}, front = {0};
    arrival tip = {0.5 * spacing, INFINITY, INFINITY}, body = {0.04, INFINITY, INFINITY};
    weir_result result;
    WEIR_TRY(validate_open(v, spheric_json(spacing), &world));
    bool ok = base_text_append(&table, "t_s,h4_m,h2_m,h1_m,h3_m,force_x_n\n");
    while (ok && world.stats.time_s < until - 1e-6) {
        WEIR_TRY(validate_run(&world, 1));
        WEIR_TRY(validate_gauges(&world, gauges));
        WEIR_TRY(note_arrivals(&world, &tip));
        WEIR_TRY(note_arrivals(&world, &body));
        double t = world.stats.time_s;
        ok = add_point(&h4, t, gauges[1].value[0]) && add_point(&h2, t, gauges[2].value[0]) &&
             add_point(&front, t, gauges[5].value[0]) &&
             base_text_append(&table, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g\n", t, gauges[1].value[0],
                              gauges[2].value[0], gauges[3].value[0], gauges[4].value[0],
                              gauges[0].value[0]);
    }
    char name[32];
    snprintf(name, sizeof name, "spheric_%g", spacing);
    WEIR_TRY(ok ? validate_write_table(v, name, &table) : WEIR_MEMORY);
    validate_at_most(v, height_error(&h2, &data_spheric_heights[0]), 0.1,
                     "d = %g m, %g s: H2, mean difference over its largest", spacing, until);
    validate_at_most(v, height_error(&h4, &data_spheric_heights[1]), 0.1,
                     "d = %g m, %g s: H4, mean difference over its largest", spacing, until);
    validate_within(v, (tip.h2 - tip.h1) / 0.166, (validate_range){1.0, 0.1},
                    "d = %g m: front from H1 to H2, over 0.166 s", spacing);
    validate_within(v, time_at_box(&front, spacing) / 0.394, (validate_range){1.0, 0.1},
                    "d = %g m: arrival of the front at the box, over 0.394 s", spacing);
    validate_report(v, (body.h2 - body.h1) / 0.153,
                    "d = %g m: from 0.04 m of water at H1 to 0.04 m at H2, over 0.153 s", spacing);
fail:
    base_free(table.items);
    free_curve(&h4);
    free_curve(&h2);
    free_curve(&front);
    validate_close(&world);
    return result;
}

weir_result validate_spheric(validate *v)
{
    return run_spheric(v, 0.02, 2.5);
}

weir_result validate_spheric_coarse(validate *v)
{
    return run_spheric(v, 0.04, 2.5);
}
