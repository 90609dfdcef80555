/* G5 and XSPH: drops that theory follows exactly, and the decay of a shear wave. All in the plane.
 */
#include "validate_internal.h"

#include <stdlib.h>

#define PI 3.14159265358979323846
#define RADIUS 1.0

/* Semi-axes over the radius, from the second moments: a uniform ellipse has <x^2> = a^2 / 4. */
typedef struct axes {
    double a, b;
} axes;

static weir_result read_axes(validate_world *world, axes *now)
{
    double x = 0, y = 0, xx = 0, yy = 0;
    weir_result result = validate_read(world);
    if (result != WEIR_OK) return result;
    double n = world->count;
    for (uint32_t i = 0; i < world->count; ++i) {
        vec3 p = world->x[i];
        x += (double)p.x / n, y += (double)p.y / n;
        xx += (double)(p.x * p.x) / n, yy += (double)(p.y * p.y) / n;
    }
    *now = (axes){2.0 * sqrt(xx - x * x), 2.0 * sqrt(yy - y * y)};
    return WEIR_OK;
}

/* ---- free elliptical drop ------------------------------------------------------------------- */

/* A' = A^2 (a^4 - 1) / (a^4 + 1), a' = -a A, b = 1 / a from A = a = 1 at t = 0, by small steps of
 * the midpoint rule. */
static axes ellipse_at(double time)
{
    double rate = 1.0, a = 1.0;
    const double step = 1e-4;
    for (double t = 0.0; t < time - 0.5 * step; t += step) {
        double a4 = pow(a, 4), middle = rate + 0.5 * step * rate * rate * (a4 - 1) / (a4 + 1);
        double half = a - 0.5 * step * a * rate;
        double h4 = pow(half, 4);
        rate += step * middle * middle * (h4 - 1) / (h4 + 1);
        a -= step * half * middle;
    }
    return (axes){a, 1.0 / a};
}

#define DROP_D (RADIUS / 25)

/* The defaults of the house, but for the start: the lattice, whose rows buckle when they are
 * squeezed, or particles that have settled in disorder. */
typedef struct drop {
    const char *name;
    bool settled;
} drop;
static const drop drops[] = {{"lattice", false}, {"settled start", true}};

static char *ellipse_json(const char *forces, const char *fill)
{
    return base_format("{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 10, 'forces': [%s],"
                       " 'domain': {'min': [-3, -3, -0.1], 'max': [3, 3, 0.1]},"
                       " 'solver': {'dimensions': 2, 'substeps': 20, 'reference_dt': 0.005},"
                       " 'fluids': [{'name': 'water', %s}]}",
                       DROP_D, forces, fill);
}

/* A shaken drop comes to rest in a central force, and is set in motion as theory has it. */
static weir_result settle_drop(validate *v)
{
    validate_world world = {0};
    validate_points points = {0};
    weir_result result;
    bool ok = true;
    char *json = ellipse_json("{'strength': 1}", "'viscosity': 0.3, 'fill': {'jitter': 0.3,"
                                                 " 'shape': {'sphere': {'radius': 1}}}");
    WEIR_TRY(validate_open(v, json, &world));
    WEIR_TRY(validate_run(&world, 40));
    WEIR_TRY(validate_read(&world));
    for (uint32_t i = 0; ok && i < world.count; ++i) {
        vec3 p = world.x[i];
        ok = validate_add_point(&points, p, vec3_make(-p.x, p.y, 0));
    }
    WEIR_TRY(ok ? validate_write_points(v, "drop", &points) : WEIR_MEMORY);
fail:
    validate_close(&world);
    return result;
}

static char *drop_json(const drop *d)
{
    return ellipse_json("", d->settled
                                ? "'fill': {'file': 'drop.npy'}"
                                : "'fill': {'velocity_gradient': {'x': [-1, 0, 0], 'y': [0, 1, 0]},"
                                  " 'shape': {'sphere': {'radius': 1}}}");
}

static weir_result squeeze(validate *v, const drop *d, base_text *table)
{
    validate_world world = {0};
    axes first, now;
    double worst_a = 0, worst_b = 0, worst_area = 0;
    weir_result result;
    bool ok = true;
    if (d->settled) WEIR_TRY(settle_drop(v));
    WEIR_TRY(validate_open(v, drop_json(d), &world));
    WEIR_TRY(read_axes(&world, &first));
    for (uint32_t frame = 1; ok && frame <= 10; ++frame) {
        axes theory = ellipse_at(0.1 * frame);
        WEIR_TRY(validate_run(&world, 1));
        WEIR_TRY(read_axes(&world, &now));
        double a = now.a / first.a, b = now.b / first.b;
        worst_a = fmax(worst_a, fabs(a / theory.a - 1));
        worst_b = fmax(worst_b, fabs(b / theory.b - 1));
        worst_area = fmax(worst_area, fabs(a * b - 1));
        ok = base_text_append(table, "\"%s\",%g,%.6g,%.6g,%.6g,%.6g\n", d->name, 0.1 * frame, a, b,
                              theory.a, theory.b);
    }
    validate_at_most(v, worst_a, 0.02, "%s: short axis off, to A0 t = 1", d->name);
    validate_at_most(v, worst_b, 0.02, "%s: long axis off", d->name);
    validate_at_most(v, worst_area, 0.01, "%s: area off", d->name);
    if (!ok) result = WEIR_MEMORY;
fail:
    validate_close(&world);
    return result;
}

/* R = 25 d. */
weir_result validate_ellipse(validate *v)
{
    base_text table = {0};
    weir_result result = WEIR_OK;
    if (!base_text_append(&table, "start,t,a,b,a_theory,b_theory\n")) return WEIR_MEMORY;
    for (size_t i = 0; i < BASE_COUNT(drops); ++i)
        WEIR_TRY(squeeze(v, &drops[i], &table));
    WEIR_TRY(validate_write_table(v, "ellipse", &table));
fail:
    base_free(table.items);
    return result;
}

/* ---- drop in a central force ---------------------------------------------------------------- */

#define OSCILLATION_FRAMES 560u
#define FRAME_S 0.02

/* sigma' = (sigma^2 + 1) (b^2 - a^2) / (a^2 + b^2), a' = sigma a, b' = -sigma b at Omega = 1: the
 * period for sigma0 = 0.5 is 4.56740 and a reaches 1.41421. */
static char *oscillation_json(double spacing)
{
    return base_format("{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': %g,"
                       " 'domain': {'min': [-3, -3, -0.1], 'max': [3, 3, 0.1]},"
                       " 'forces': [{'strength': 1}],"
                       " 'solver': {'dimensions': 2, 'substeps': 4, 'reference_dt': 0.005},"
                       " 'fluids': [{'name': 'water', 'viscosity': 0, 'fill': {"
                       "'velocity_gradient': {'x': [0.5, 0, 0], 'y': [0, -0.5, 0]},"
                       "'shape': {'sphere': {'radius': %g}}}}]}",
                       spacing, 1.0 / FRAME_S, RADIUS);
}

/* Time and height of the peak that starts the search at `from`; a parabola through three points. */
typedef struct peak {
    double frame, height;
} peak;

static peak find_peak(const double *values, uint32_t from, uint32_t count)
{
    uint32_t best = from + 1;
    for (uint32_t i = from + 1; i + 1 < count; ++i)
        if (values[i] > values[best]) best = i;
    double l = values[best - 1], m = values[best], r = values[best + 1], bend = l - 2 * m + r;
    double shift = bend < 0 ? 0.5 * (l - r) / bend : 0.0;
    return (peak){best + shift, m - 0.25 * (l - r) * shift};
}

weir_result validate_oscillation(validate *v)
{
    static double a[OSCILLATION_FRAMES + 1];
    const uint32_t frames = v->full ? OSCILLATION_FRAMES : 300, period = 229;
    validate_world world = {0};
    base_text table = {0};
    axes first, now;
    weir_result result;
    WEIR_TRY(validate_open(v, oscillation_json(RADIUS / 25), &world));
    WEIR_TRY(read_axes(&world, &first));
    bool ok = base_text_append(&table, "t,a,b\n");
    a[0] = 1.0;
    for (uint32_t frame = 1; ok && frame <= frames; ++frame) {
        WEIR_TRY(validate_run(&world, 1));
        WEIR_TRY(read_axes(&world, &now));
        a[frame] = now.a / first.a;
        ok = base_text_append(&table, "%g,%.6g,%.6g\n", FRAME_S * frame, a[frame], now.b / first.b);
    }
    WEIR_TRY(ok ? validate_write_table(v, "oscillation", &table) : WEIR_MEMORY);
    peak one = find_peak(a, 0, period), two = find_peak(a, period, frames + 1);
    validate_within(v, (two.frame - one.frame) * FRAME_S / 4.5674, (validate_range){1.0, 0.02},
                    "drop in a central force: period over theory");
    validate_within(v, one.height / sqrt(2.0), (validate_range){1.0, 0.03},
                    "its first largest semi-axis over theory");
    validate_at_most(v, 1.0 - (two.height - 1.0) / (one.height - 1.0), 0.1,
                     "amplitude that it loses in a period, share");
fail:
    base_free(table.items);
    validate_close(&world);
    return result;
}

/* ---- shear wave ----------------------------------------------------------------------------- */

#define LENGTH 1.6 /* m: 32 d, 16 h */
#define SHEAR_D 0.05

static double wave_amplitude(const validate_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < world->count; ++i)
        sum += (double)world->v[i].x * sin(2.0 * PI / LENGTH * (double)world->x[i].y);
    return 2.0 * sum / world->count;
}

/* XSPH on the lattice: a wave keeps 1 - c sum V W (1 - cos k y) of itself in a substep. */
static double lattice_viscosity(double c, double dt)
{
    const double h = 2.0 * SHEAR_D, k = 2.0 * PI / LENGTH;
    double rest = 0.0, lost = 0.0;
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x) {
            double t = fmax(1.0 - (x * x + y * y) * SHEAR_D * SHEAR_D / (h * h), 0.0);
            rest += t * t * t;
            lost += t * t * t * (1.0 - cos(k * y * SHEAR_D));
        }
    return -log(1.0 - c * lost / rest) / (k * k * dt);
}

static weir_result measure_shear(validate *v, double c, uint32_t substeps, double *viscosity)
{
    validate_world world = {0};
    const double k = 2.0 * PI / LENGTH;
    weir_result result;
    char *json =
        base_format("{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 60,"
                    " 'domain': {'min': [0, 0, 0], 'max': [%g, %g, 0.1],"
                    " 'sides': {'x': 'periodic', 'y': 'periodic'}},"
                    " 'solver': {'dimensions': 2, 'substeps': %u, 'artificial_pressure': 0},"
                    " 'fluids': [{'name': 'water', 'viscosity': %g, 'fill': {"
                    "'velocity_wave': {'amplitude': [0.02, 0, 0],"
                    " 'wave_vector': [0, %.9g, 0]},"
                    "'shape': {'box': {'min': [0, 0, 0], 'max': [%g, %g, 0.1]}}}}]}",
                    SHEAR_D, LENGTH, LENGTH, substeps, c, k, LENGTH, LENGTH);
    WEIR_TRY(validate_open(v, json, &world));
    WEIR_TRY(validate_run(&world, 5));
    WEIR_TRY(validate_read(&world));
    double before = wave_amplitude(&world), t = world.stats.time_s;
    WEIR_TRY(validate_run(&world, 40));
    WEIR_TRY(validate_read(&world));
    *viscosity = log(before / wave_amplitude(&world)) / (k * k * (world.stats.time_s - t));
fail:
    validate_close(&world);
    return result;
}

weir_result validate_shear(validate *v)
{
    static const double shares[] = {0.5, 0.1, 0.01};
    base_text table = {0};
    weir_result result = WEIR_OK;
    bool ok = base_text_append(&table, "c,substeps,nu_m2_s,theory_m2_s\n");
    double coarse = 0.0, fine = 0.0;
    for (size_t i = 0; ok && i < (v->full ? 3 : 2); ++i) {
        double c = shares[i], theory = lattice_viscosity(c, 1.0 / 240.0), got = 0.0;
        WEIR_TRY(measure_shear(v, c, 4, &got));
        validate_within(v, got / theory, (validate_range){1.0, 0.1},
                        "XSPH c = %g, wavelength 16 h: viscosity over theory", c);
        validate_report(v, got, "c = %g at d = 0.05 m: viscosity, m2/s", c);
        if (i == 1) coarse = got;
        ok = base_text_append(&table, "%g,4,%.6g,%.6g\n", c, got, theory);
    }
    WEIR_TRY(measure_shear(v, 0.1, 8, &fine));
    validate_within(v, fine / coarse, (validate_range){1.0, 0.1},
                    "viscosity at half the step over that at the whole");
    WEIR_TRY(ok ? validate_write_table(v, "shear", &table) : WEIR_MEMORY);
fail:
    base_free(table.items);
    return result;
}

/* ---- standing wave -------------------------------------------------------------------------- */

#define WAVE_D (1.0 / 32.0)
#define WAVE_LENGTH 2.0 /* m: 64 d */
#define WAVE_DEPTH (28 * WAVE_D)
#define WAVE_FRAMES 360u /* 1.5 s at 240 Hz, two substeps each */

/* The lattice displaced as linear theory moves the water when the surface stands at A cos(k x). */
static weir_result write_wave(validate *v)
{
    validate_points points = {0};
    const double k = 2.0 * PI / WAVE_LENGTH, amplitude = 0.05 * WAVE_DEPTH;
    bool ok = true;
    for (uint32_t i = 0; ok && i < 64 * 28; ++i) {
        double x = (i % 64 + 0.5) * WAVE_D, y = (i / 64 + 0.5) * WAVE_D;
        double scale = amplitude / sinh(k * WAVE_DEPTH);
        vec3 p = {(float)(x - scale * cosh(k * y) * sin(k * x)),
                  (float)fmax(y + scale * sinh(k * y) * cos(k * x), 0.5 * WAVE_D), 0.05f};
        ok = validate_add_point(&points, p, vec3_make(0, 0, 0));
    }
    return ok ? validate_write_points(v, "wave", &points) : WEIR_MEMORY;
}

static double surface_mode(const validate_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < world->count; ++i)
        sum += (double)world->x[i].y * cos(2.0 * PI / WAVE_LENGTH * (double)world->x[i].x);
    return 2.0 * sum / world->count;
}

/* Period from the second and fourth passage through zero, damping from the two valleys. */
static void judge_wave(validate *v, const double *mode, bool pressed)
{
    double crossings[4], valleys[2] = {0};
    uint32_t found = 0;
    for (uint32_t i = 1; i <= WAVE_FRAMES && found < 4; ++i)
        if ((mode[i - 1] < 0) != (mode[i] < 0))
            crossings[found++] = i - 1 + mode[i - 1] / (mode[i - 1] - mode[i]);
    const double k = 2.0 * PI / WAVE_LENGTH;
    double theory = 2.0 * PI / sqrt(9.81 * k * tanh(k * WAVE_DEPTH));
    double period = found < 3 ? 0.0 : (crossings[2] - crossings[0]) / 240.0;
    if (!pressed)
        validate_report(v, period / theory, "the same without artificial pressure");
    else
        validate_within(v, period / theory, (validate_range){1.0, 0.05},
                        "standing wave, depth 28 d: period over theory");
    if (found < 3) return;
    for (uint32_t i = 0; i <= WAVE_FRAMES; ++i) {
        if (i < crossings[1])
            valleys[0] = fmin(valleys[0], mode[i]);
        else if (i < crossings[2])
            valleys[1] = fmax(valleys[1], mode[i]);
    }
    double rate = log(-valleys[0] / valleys[1]) / (0.5 * period);
    validate_report(v, rate / (2.0 * k * k), "its damping as a viscosity%s, m2/s",
                    pressed ? "" : ", without it");
}

static weir_result swing_wave(validate *v, bool pressed, base_text *table)
{
    static double mode[WAVE_FRAMES + 1];
    validate_world world = {0};
    bool ok = true;
    weir_result result;
    char *json = base_format("{'spacing': %.9g, 'frame_rate': 240,"
                             " 'domain': {'min': [0, 0, 0], 'max': [%g, 1.5, 0.1],"
                             " 'sides': {'x': 'periodic', 'y': ['closed', 'open']}},"
                             " 'solver': {'dimensions': 2, 'substeps': 2%s},"
                             " 'fluids': [{'name': 'water', 'viscosity': 0,"
                             " 'fill': {'file': 'wave.npy'}}]}",
                             WAVE_D, WAVE_LENGTH, pressed ? "" : ", 'artificial_pressure': 0");
    WEIR_TRY(validate_open(v, json, &world));
    for (uint32_t frame = 0; ok && frame <= WAVE_FRAMES; ++frame) {
        if (frame) WEIR_TRY(validate_run(&world, 1));
        WEIR_TRY(validate_read(&world));
        mode[frame] = surface_mode(&world);
        ok = base_text_append(table, "%d,%.6g,%.6g,%.6g\n", pressed, frame / 240.0, mode[frame],
                              world.stats.kinetic_energy);
    }
    judge_wave(v, mode, pressed);
    if (!ok) result = WEIR_MEMORY;
fail:
    validate_close(&world);
    return result;
}

weir_result validate_standing_wave(validate *v)
{
    base_text table = {0};
    weir_result result;
    if (!base_text_append(&table, "pressed,t_s,mode_m,kinetic_j\n")) return WEIR_MEMORY;
    WEIR_TRY(write_wave(v));
    WEIR_TRY(swing_wave(v, true, &table));
    if (v->full) WEIR_TRY(swing_wave(v, false, &table));
    WEIR_TRY(validate_write_table(v, "wave", &table));
fail:
    base_free(table.items);
    return result;
}
