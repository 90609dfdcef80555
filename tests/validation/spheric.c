/* G7: SPHERIC test 2, a dam break on a box, measured by the scene's own gauges. */
#include "reference_data.h"
#include "validate_internal.h"

#define G 9.81
#define PI 3.14159265358979323846
#define SPHERIC_RATE 50.0 /* frames per second */
#define SPHERIC_S 6.0
#define HEIGHTS 4 /* gauges 0 to 3 are H1 to H4; those of the tip and the force follow */
#define TIP 4
#define FORCE 5
#define SPHERIC_BOX 0.8245 /* m: x of the face of the box that the front reaches */
#define TANK 3.22          /* m: length; width and height are 1 */

/* The column, from the wall to the gate, m. */
static const double column[3] = {1.228, 0.55, 1.0};

/* One run and its tolerances. The force on the box is measured only with PBF. FLIP and APIC
   start from jittered seeds, and WCSPH chooses its substeps itself. */
typedef struct spheric_case {
    const char *method, *label;
    double spacing; /* m, nominal: see write_column */
    bool force;
    double jitter; /* d */
    double height; /* mean error of a height, as a fraction of the largest height */
    double share;  /* fraction of PBF's other tolerances */
} spheric_case;

/* Writes the lattice that fills the column: a whole number of layers along each axis, whose
   distances differ by a few hundredths. A fill with a cubic lattice would leave a part of the
   column empty (0.55 m are 13.75 layers of 4 cm), and start with 7.6 % less water than the
   experiment at 4 cm and 2.5 % less at 2 cm. Returns the spacing whose cube is the volume of a
   particle. */
static double write_column(validate *v, const spheric_case *s)
{
    uint32_t layers[3], count = 0;
    double apart[3];
    for (int i = 0; i < 3; ++i) {
        layers[i] = (uint32_t)lround(column[i] / s->spacing);
        apart[i] = column[i] / layers[i];
    }
    for (uint32_t x = 0; x < layers[0]; ++x)
        for (uint32_t y = 0; y < layers[1]; ++y)
            for (uint32_t z = 0; z < layers[2]; ++z) {
                double shift[3];
                for (int i = 0; i < 3; ++i)
                    shift[i] = 0.5 + s->jitter * (validate_jitter(count++) - 0.5);
                validate_add_point(v,
                                   vec3_make((float)(TANK - column[0] + (x + shift[0]) * apart[0]),
                                             (float)((y + shift[1]) * apart[1]),
                                             (float)((z + shift[2]) * apart[2])),
                                   vec3_make(0, 0, 0));
            }
    validate_write_points(v, "column");
    return cbrt(apart[0] * apart[1] * apart[2]);
}

static char *spheric_json(validate *v, const spheric_case *s, double spacing)
{
    static const double positions[HEIGHTS] = {1.488, 0.992, 0.496, 2.638}; /* x, m */
    base_text json = {0};
    char steps[80] = "";
    if (strcmp(s->method, "wcsph") != 0)
        snprintf(steps, sizeof steps, ", 'substeps': %d, 'iterations': 4, 'adaptive': false",
                 (int)ceil(0.16 / s->spacing));
    validate_append(
        v, &json,
        "{'spacing': %g, 'frame_rate': %g,"
        " 'domain': {'min': [0, 0, 0], 'max': [3.22, 1, 1], 'sides': {'y': ['closed', 'open']}},"
        " 'solver': {'method': '%s'%s},"
        " 'fluids': [{'name': 'water', 'fill': {'file': 'column.npy'}}],"
        " 'solids': [{'name': 'box', 'shape': {'box': {"
        "'min': [0.6635, 0, 0.2955], 'max': [0.8245, 0.161, 0.6985]}}}],"
        " 'gauges': [",
        spacing, SPHERIC_RATE, s->method, steps);
    for (int i = 0; i < HEIGHTS; ++i)
        validate_append(v, &json,
                        "{'name': 'H%d', 'height': {'min': [%g, 0, %g],"
                        " 'max': [%g, 1, %g]}},",
                        i + 1, positions[i] - 2 * spacing, 0.5 - 2 * spacing,
                        positions[i] + 2 * spacing, 0.5 + 2 * spacing);
    validate_append(v, &json,
                    "{'name': 'tip', 'front': {'min': [0, 0, %g],"
                    " 'max': [3.22, 1, %g], 'axis': '-x'}}%s]}",
                    0.5 - 4 * spacing, 0.5 + 4 * spacing,
                    s->force ? ",{'name': 'box', 'force': {'solid': 'box'}}" : "");
    return json.items;
}

/* Returns how late the experiment's clock starts, s. When the gate is gone, the pressure of a
   column of length L and height H is a series of cos(K x / L), x from its wall, K = (m + 1/2) pi,
   that vanishes at its free faces, and the surface falls at f g, f = 1 - sum 2 (-1)^m cos(K x / L)
   / (K cosh(K H / L)). The measured fall at H4 in the first 0.1 s takes longer than that. */
static double clock_delay(void)
{
    const double x = TANK - 2.638, after = 0.1;
    const int i = (int)lround(after / DATA_SPHERIC_STEP_S);
    const double fallen = (double)data_spheric_heights[0][3] - (double)data_spheric_heights[i][3];
    double f = 1.0;
    for (int m = 0; m < 8; ++m) {
        double k = (m + 0.5) * PI / column[0];
        f -= (m % 2 ? -2.0 : 2.0) * cos(k * x) / (k * column[0] * cosh(k * column[1]));
    }
    return sqrt(2.0 * fallen / (f * G)) - after;
}

/* Returns the mean difference between a gauge and the measurement, divided by the largest
   measured height. */
static double height_error(const curve *got, int gauge)
{
    double sum = 0.0, most = 0.0;
    for (int i = 0; i < DATA_SPHERIC_COUNT; ++i) {
        double measured = (double)data_spheric_heights[i][gauge];
        double t = i * DATA_SPHERIC_STEP_S + clock_delay();
        sum += fabs(curve_at(got, t) - measured) / DATA_SPHERIC_COUNT;
        most = fmax(most, measured);
    }
    return sum / most;
}

/* The times at which the water at H1 and H2 first reaches `level`, within a substep; INFINITY
   before. */
typedef struct arrival {
    double level, h1, h2;
} arrival;

static void record_arrivals(validate_world *world, arrival *at)
{
    weir_gauge gauges[VALIDATE_GAUGES];
    const uint32_t substeps = world->stats.substeps_in_frame;
    const double step = 1.0 / (SPHERIC_RATE * substeps);
    for (uint32_t k = 0; k < substeps && !isfinite(at->h2); ++k) {
        uint32_t count = VALIDATE_GAUGES;
        double t = world->stats.time_s - (substeps - 1 - k) * step;
        validate_must(world->of, weir_sim_get_gauges(world->sim, k, gauges, &count));
        if (!isfinite(at->h1) && gauges[0].value[0] >= 0.999 * at->level) at->h1 = t;
        if (gauges[1].value[0] >= 0.999 * at->level) at->h2 = t;
    }
}

/* Returns the time at which the tip in the middle of the tank reaches the box, interpolated
   linearly between frames. */
static double time_at_box(const curve *tip, double spacing)
{
    const double distance = 3.22 - SPHERIC_BOX - 0.5 * spacing;
    size_t i = 0;
    while (i < tip->y.count && tip->y.items[i] < distance)
        ++i;
    if (i == 0 || i == tip->y.count) return INFINITY;
    double t = tip->t.items[i - 1], y = tip->y.items[i - 1];
    return t + (tip->t.items[i] - t) * (distance - y) / (tip->y.items[i] - y);
}

/* Checks the wave that returns from the wall behind the box: the highest water at H4 from 3 s to
   5 s, measured as 0.40 m at 3.84 s. */
static void check_return_wave(validate *v, const spheric_case *s, const curve *h4)
{
    double at = 0.0, height = 0.0;
    for (double t = 3.0; t < 5.0; t += 1.0 / SPHERIC_RATE)
        if (curve_at(h4, t) > height) height = curve_at(h4, t), at = t;
    validate_within(v, height / 0.40, (validate_range){1.0, 0.1 * s->share},
                    "%sd = %g m: height of the return wave at H4, ratio to experiment (0.40 m)",
                    s->label, s->spacing);
    validate_within(v, at / (3.84 + clock_delay()), (validate_range){1.0, 0.05 * s->share},
                    "%sd = %g m: time of the return wave at H4, ratio to experiment (3.84 s)",
                    s->label, s->spacing);
}

static void check_heights(validate *v, const spheric_case *s, const curve heights[HEIGHTS])
{
    for (int i = 0; i < HEIGHTS; ++i)
        validate_at_most(
            v, height_error(&heights[i], i), s->height,
            "%sd = %g m, %g s: H%d, mean absolute error relative to the measured maximum", s->label,
            s->spacing, SPHERIC_S, i + 1);
    check_return_wave(v, s, &heights[HEIGHTS - 1]);
}

/* Returns the time at which the measured water at a gauge first reaches a level, s. */
static double measured_time(int gauge, double level)
{
    int i = 1;
    while (i + 1 < DATA_SPHERIC_COUNT && (double)data_spheric_heights[i][gauge] < level)
        ++i;
    double low = (double)data_spheric_heights[i - 1][gauge];
    double high = (double)data_spheric_heights[i][gauge];
    return (i - 1 + (level - low) / (high - low)) * DATA_SPHERIC_STEP_S;
}

/* The front is there when a gauge reads half a layer. The measured water takes 0.166 s from wetting
   one gauge to wetting the other, but less from half a layer at one to half a layer at the other,
   since it rises more slowly at H1. */
static void check_arrivals(validate *v, const spheric_case *s, const arrival at[2], double at_box)
{
    const arrival *tip = &at[0], *body = &at[1];
    const validate_range range = {1.0, 0.1 * s->share};
    const double took = tip->h2 - tip->h1;
    const double measured = measured_time(1, tip->level) - measured_time(0, tip->level);
    validate_within(v, took / measured, range,
                    "%sd = %g m: time of half a layer from H1 to H2, ratio to experiment (%.3g s)",
                    s->label, s->spacing, measured);
    validate_report(v, took / 0.166,
                    "%sd = %g m: the same, ratio to the first wetting in the experiment (0.166 s)",
                    s->label, s->spacing);
    validate_within(
        v, at_box / (0.394 + clock_delay()), range,
        "%sd = %g m: arrival time of the front at the box, ratio to experiment (0.394 s "
        "and %.2g s before its clock)",
        s->label, s->spacing, clock_delay());
    validate_report(v, at_box / 0.394,
                    "%sd = %g m: the same, ratio to the experiment's clock (0.394 s)", s->label,
                    s->spacing);
    validate_report(
        v, (body->h2 - body->h1) / 0.153,
        "%sd = %g m: time of the 0.04 m level from H1 to H2, ratio to experiment (0.153 s)",
        s->label, s->spacing);
}

static void run_spheric(validate *v, const spheric_case *s)
{
    weir_gauge gauges[VALIDATE_GAUGES];
    curve heights[HEIGHTS] = {0}, front = {0};
    const double spacing = write_column(v, s);
    arrival arrivals[] = {{0.5 * spacing, INFINITY, INFINITY}, {0.04, INFINITY, INFINITY}};
    validate_world *world = validate_open(v, spheric_json(v, s, spacing));
    validate_add_line(v, "t_s,h1_m,h2_m,h3_m,h4_m,force_x_n");
    while (world->stats.time_s < SPHERIC_S - 1e-6) {
        validate_run(world, 1);
        validate_read_gauges(world, gauges);
        record_arrivals(world, &arrivals[0]);
        record_arrivals(world, &arrivals[1]);
        double t = world->stats.time_s;
        curve_add(v, &front, t, gauges[TIP].value[0]);
        for (int i = 0; i < HEIGHTS; ++i)
            curve_add(v, &heights[i], t, gauges[i].value[0]);
        validate_add_line(v, "%.6g,%.6g,%.6g,%.6g,%.6g,%.6g", t, gauges[0].value[0],
                          gauges[1].value[0], gauges[2].value[0], gauges[3].value[0],
                          s->force ? gauges[FORCE].value[0] : 0.0);
    }
    char name[48];
    snprintf(name, sizeof name, "spheric_%s%s%g", s->force ? "" : s->method, s->force ? "" : "_",
             s->spacing);
    validate_write_table(v, name);
    check_heights(v, s, heights);
    check_arrivals(v, s, arrivals, time_at_box(&front, spacing));
    for (int i = 0; i < HEIGHTS; ++i)
        curve_free(&heights[i]);
    curve_free(&front);
    validate_close(world);
}

void validate_spheric(validate *v)
{
    run_spheric(v, &(spheric_case){"pbf", "", 0.02, true, 0, 0.08, 1});
}

void validate_spheric_coarse(validate *v)
{
    run_spheric(v, &(spheric_case){"pbf", "", 0.04, true, 0, 0.08, 1});
}

void validate_wcsph_spheric(validate *v)
{
    run_spheric(v, &(spheric_case){"wcsph", "WCSPH, ", 0.04, false, 0, 0.08, 1});
}

static void run_grids(validate *v, double spacing)
{
    run_spheric(v, &(spheric_case){"flip", "FLIP, ", spacing, false, 0.5, 0.05, 0.5});
    run_spheric(v, &(spheric_case){"apic", "APIC, ", spacing, false, 0.5, 0.05, 0.5});
}

void validate_flip_spheric(validate *v)
{
    run_grids(v, 0.02);
}

void validate_flip_spheric_coarse(validate *v)
{
    run_grids(v, 0.04);
}
