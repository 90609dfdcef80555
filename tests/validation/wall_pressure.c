/* G6: pressure on the wall that a dam break runs against, compared with Lobovsky's and Buchner's
   experiments. Their tanks are similar: a column 2 H long and H high, and a wall 5.366 H from the
   other end. */
#include "reference_data.h"
#include "validate_internal.h"

#define G 9.81
#define HEIGHT_M 0.3 /* H: Lobovsky's */
#define LENGTH 5.366 /* of the tank, H */
#define RATE 100.0   /* frames in sqrt(H / g) */
/* Friction of the tank's smooth walls, as Coulomb's with the weight of the water. By Ritter's
   solution the water at the wall is 0.149 H deep and has 1.227 sqrt(g H) at t sqrt(g / H) = 4, so
   that Re = 10^6 over half of its way, and a smooth plate has c_f = 0.074 Re^-0.2 = 0.0047. The
   sides, 0.15 m apart, add 2 h / b = 0.6 of the floor's:
   0.5 c_f u^2 / (g h) (1 + 2 h / b) = 0.038. */
#define WALL_FRICTION 0.038
/* t sqrt(g / H): the water arrives at 2.43; from 5.4 on the water that the wall threw up falls on
   the sensors. */
#define FROM 2.4
#define UNTIL 5.2
#define PEAK 0.1 /* over which the highest mean is a peak */

static const char *const names[] = {"Lobovsky's sensor 1, 0.01 H", "Lobovsky's sensor 3, 0.1 H",
                                    "Lobovsky's sensor 4, 0.267 H", "Buchner's sensor, 0.2 H"};
static const double heights[DATA_WALL_SENSORS] = {0.01, 0.1, 8.0 / 30.0, 0.2};

typedef struct wall_case {
    const char *method, *label, *steps;
    double jitter; /* d */
    double friction;
    uint32_t layers; /* spacings in H */
    bool has_limits;
} wall_case;
#define WHOLE_STEP ", 'substeps': 1, 'long_range_correction': 'off'"
static const wall_case cases[] = {
    {"flip", "FLIP", ", 'substeps': 1", 0.5, WALL_FRICTION, 40, true},
    {"pbf", "PBF", WHOLE_STEP, 0, WALL_FRICTION, 40, true},
    {"apic", "APIC", ", 'substeps': 1", 0.5, WALL_FRICTION, 40, true},
    {"wcsph", "WCSPH", "", 0, WALL_FRICTION, 40, true},
    {"flip", "FLIP, H = 20 d", ", 'substeps': 1", 0.5, WALL_FRICTION, 20, false},
    {"flip", "FLIP without friction", ", 'substeps': 1", 0.5, 0, 40, false}};

static char *wall_json(validate *v, const wall_case *c)
{
    base_text json = {0};
    const double d = HEIGHT_M / c->layers;
    validate_append(
        v, &json,
        "{'spacing': %.9g, 'frame_rate': %.9g, 'domain': {'min': [0, 0, 0],"
        " 'max': [%.9g, %.9g, 0.1], 'sides': {'y': ['closed', 'open']}, 'friction': %g},"
        " 'solver': {'dimensions': 2, 'method': '%s'%s},"
        " 'fluids': [{'name': 'water', 'fill': {'jitter': %g, 'shape': {'box': {"
        "'min': [0, 0, 0], 'max': [%.9g, %.9g, 1]}}}}], 'gauges': [",
        d, RATE / sqrt(HEIGHT_M / G), LENGTH * HEIGHT_M, 3.0 * HEIGHT_M, c->friction, c->method,
        c->steps, c->jitter, 2.0 * HEIGHT_M, HEIGHT_M);
    for (int i = 0; i < DATA_WALL_SENSORS; ++i)
        validate_append(v, &json, "%s{'name': 'p%d', 'pressure': {'position': [%.9g, %.9g, 0.05]}}",
                        i ? "," : "", i, LENGTH * HEIGHT_M, heights[i] * HEIGHT_M);
    validate_append(v, &json, "]}");
    return json.items;
}

/* Returns the mean of a curve between two times. */
static double mean_between(const curve *c, double from, double to)
{
    const int steps = 200;
    double sum = 0.0;
    for (int i = 0; i < steps; ++i)
        sum += curve_at(c, from + (i + 0.5) * (to - from) / steps) / steps;
    return sum;
}

/* Returns the highest mean over PEAK. */
static double peak_of(const curve *c)
{
    double most = 0.0;
    for (double t = FROM - 0.2; t < UNTIL - PEAK; t += 0.02)
        most = fmax(most, mean_between(c, t, t + PEAK));
    return most;
}

/* Returns the time at which a curve first reaches a tenth of rho g H; INFINITY if it does not. */
static double arrival_time(const curve *c)
{
    for (size_t i = 0; i < c->t.count; ++i)
        if (c->y.items[i] >= 0.1) return c->t.items[i];
    return INFINITY;
}

static curve measured_curve(validate *v, int sensor)
{
    curve c = {0};
    for (size_t i = 0; i < data_wall_pressure[sensor].count; ++i) {
        const float *point = data_wall_pressure[sensor].points[i];
        curve_add(v, &c, (double)point[0], (double)point[1]);
    }
    return c;
}

/* Returns the mean force on the wall up to the highest sensor, from trapezia between sensors. */
static double mean_force(const double means[DATA_WALL_SENSORS])
{
    static const int upwards[DATA_WALL_SENSORS] = {0, 1, 3, 2};
    double force = means[0] * heights[0];
    for (int i = 1; i < DATA_WALL_SENSORS; ++i) {
        int low = upwards[i - 1], high = upwards[i];
        force += 0.5 * (means[low] + means[high]) * (heights[high] - heights[low]);
    }
    return force;
}

static void check_ratio(validate *v, const wall_case *c, double ratio, double tolerance,
                        const char *what)
{
    if (c->has_limits)
        validate_within(v, ratio, (validate_range){1.0, tolerance}, "%s: %s", c->label, what);
    else
        validate_report(v, ratio, "%s: %s", c->label, what);
}

static void check_sensor(validate *v, const wall_case *c, int sensor, double mean, double peak)
{
    char what[120];
    snprintf(what, sizeof what, "%s, mean pressure, ratio to experiment", names[sensor]);
    check_ratio(v, c, mean, 0.2, what);
    validate_report(v, peak, "%s: %s, highest pressure, ratio to experiment", c->label,
                    names[sensor]);
}

static void check_pressures(validate *v, const wall_case *c, const curve *got)
{
    double ours[DATA_WALL_SENSORS], theirs[DATA_WALL_SENSORS];
    for (int i = 0; i < DATA_WALL_SENSORS; ++i) {
        curve data = measured_curve(v, i);
        ours[i] = mean_between(&got[i], FROM, UNTIL);
        theirs[i] = mean_between(&data, FROM, UNTIL);
        check_sensor(v, c, i, ours[i] / theirs[i], peak_of(&got[i]) / peak_of(&data));
        curve_free(&data);
    }
    check_ratio(v, c, mean_force(ours) / mean_force(theirs), 0.2,
                "mean force on the wall below 0.267 H, ratio to experiments");
    check_ratio(v, c, arrival_time(&got[0]) / 2.43, 0.05,
                "arrival at the wall, ratio to Lobovsky's");
}

static void run_wall_case(validate *v, const wall_case *c)
{
    weir_gauge gauges[VALIDATE_GAUGES];
    curve pressures[DATA_WALL_SENSORS] = {0};
    const double unit = sqrt(G / HEIGHT_M), scale = 1.0 / (1000.0 * G * HEIGHT_M);
    validate_world *world = validate_open(v, wall_json(v, c));
    while (world->stats.time_s * unit < UNTIL) {
        validate_run(world, 1);
        validate_read_gauges(world, gauges);
        double t = world->stats.time_s * unit;
        for (int i = 0; i < DATA_WALL_SENSORS; ++i)
            curve_add(v, &pressures[i], t, gauges[i].value[0] * scale);
        validate_add_line(v, "\"%s\",%.6g,%.6g,%.6g,%.6g,%.6g", c->label, t,
                          gauges[0].value[0] * scale, gauges[1].value[0] * scale,
                          gauges[2].value[0] * scale, gauges[3].value[0] * scale);
    }
    check_pressures(v, c, pressures);
    for (int i = 0; i < DATA_WALL_SENSORS; ++i)
        curve_free(&pressures[i]);
    validate_close(world);
}

void validate_wall_pressure(validate *v)
{
    validate_add_line(v, "method,t,p_lobovsky_1,p_lobovsky_3,p_lobovsky_4,p_buchner");
    for (size_t i = 0; i < (v->size == VALIDATE_WHOLE ? BASE_COUNT(cases) : 1); ++i)
        run_wall_case(v, &cases[i]);
    validate_write_table(v, "wall_pressure");
}
