/* G5: drops in the plane with an exact theory. */
#include "validate_internal.h"

#define RADIUS 1.0

/* Semi-axes over the radius, from the second moments: a uniform ellipse has <x^2> = a^2 / 4. */
typedef struct axes {
    double a, b;
} axes;

static void read_axes(validate_world *world, axes *now)
{
    double x = 0, y = 0, xx = 0, yy = 0;
    validate_read(world);
    double n = world->count;
    for (uint32_t i = 0; i < world->count; ++i) {
        vec3 p = world->x[i];
        x += (double)p.x / n, y += (double)p.y / n;
        xx += (double)(p.x * p.x) / n, yy += (double)(p.y * p.y) / n;
    }
    *now = (axes){2.0 * sqrt(xx - x * x), 2.0 * sqrt(yy - y * y)};
}

/* ---- free elliptical drop ------------------------------------------------------------------- */

/* Integrates A' = A^2 (a^4 - 1) / (a^4 + 1), a' = -a A, b = 1 / a from A = a = 1 at t = 0, with
   small steps of the midpoint rule. */
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

/* Initial states: a lattice, whose layers buckle when they are squeezed, and particles that have
   settled in disorder.

   A lattice that is stretched to e and 1 / e keeps its area, but not the sum of its kernel: at
   e = 1.41 that sum is 4.5 % too high with the default support of 2.1 d, 1.5 % with 2.4 d and
   1.3 % with 2.5 d. The drop swells by as much, however fine it is. So drops in the plane need 2.4,
   and the drops of 2.1 are reported only. What is left is the rim, half a spacing wide. */
typedef struct drop_case {
    const char *name, *method;
    bool settled;
    uint32_t layers; /* spacings in the radius */
    double support;  /* d */
} drop_case;
static const drop_case narrow[] = {{"lattice", "pbf", false, 25, 2.1},
                                   {"settled start", "pbf", true, 25, 2.1},
                                   {"PCISPH, lattice", "pcisph", false, 25, 2.1},
                                   {"PCISPH, settled start", "pcisph", true, 25, 2.1},
                                   {"WCSPH, lattice", "wcsph", false, 25, 2.1},
                                   {"WCSPH, settled start", "wcsph", true, 25, 2.1}};
static const drop_case wide[] = {{"lattice", "pbf", false, 60, 2.4},
                                 {"settled start", "pbf", true, 60, 2.4},
                                 {"PCISPH, lattice", "pcisph", false, 60, 2.4},
                                 {"PCISPH, settled start", "pcisph", true, 60, 2.4},
                                 {"WCSPH, lattice", "wcsph", false, 60, 2.4},
                                 {"WCSPH, settled start", "wcsph", true, 60, 2.4}};
static const drop_case fine = {"lattice", "pbf", false, 100, 2.4};

/* The substep lets the fastest particle move by an eighth of a spacing; the relaxation is 0.92 of
   the largest stable one. */
static char *ellipse_json(const drop_case *d, const char *method, const char *forces,
                          const char *fill)
{
    const double substeps = 20.0 * d->layers / 25.0;
    return base_format(
        "{'spacing': %.9g, 'gravity': [0, 0, 0], 'frame_rate': 10, 'forces': [%s],"
        " 'domain': {'min': [-3, -3, -0.1], 'max': [3, 3, 0.1]},"
        " 'solver': {'method': '%s', 'dimensions': 2, 'substeps': %.0f, 'reference_dt': %.9g,"
        " 'sound_speed': 20, 'support_radius': %g, 'relaxation': %g},"
        " 'fluids': [{'name': 'water', %s}]}",
        RADIUS / d->layers, forces, method, substeps, 0.1 / substeps, d->support,
        d->support > 2.1 ? 0.52 : 0.65, fill);
}

/* Lets a drop of jittered particles come to rest in a central force. It then receives the
   velocities of the theory. */
static void create_settled_drop(validate *v, const drop_case *d)
{
    char *json = ellipse_json(d, "pbf", "{'strength': 1}",
                              "'xsph': 0.3, 'fill': {'jitter': 0.3,"
                              " 'shape': {'sphere': {'radius': 1}}}");
    validate_world *world = validate_open_run(v, json, 40);
    for (uint32_t i = 0; i < world->count; ++i) {
        vec3 p = world->x[i];
        validate_add_point(v, p, vec3_make(-p.x, p.y, 0));
    }
    validate_write_points(v, "drop");
    validate_close(world);
}

static char *drop_json(const drop_case *d)
{
    return ellipse_json(d, d->method, "",
                        d->settled
                            ? "'fill': {'file': 'drop.npy'}"
                            : "'fill': {'velocity_gradient': {'x': [-1, 0, 0], 'y': [0, 1, 0]},"
                              " 'shape': {'sphere': {'radius': 1}}}");
}

/* The largest relative errors up to A0 t = 1. */
typedef struct drop_errors {
    double a, b, area;
} drop_errors;

static drop_errors measure_drop(validate *v, const drop_case *d)
{
    axes first, now;
    drop_errors worst = {0};
    validate_world *world = validate_open(v, drop_json(d));
    read_axes(world, &first);
    for (uint32_t frame = 1; frame <= 10; ++frame) {
        axes theory = ellipse_at(0.1 * frame);
        validate_run(world, 1);
        read_axes(world, &now);
        double a = now.a / first.a, b = now.b / first.b;
        worst.a = fmax(worst.a, fabs(a / theory.a - 1));
        worst.b = fmax(worst.b, fabs(b / theory.b - 1));
        worst.area = fmax(worst.area, fabs(a * b - 1));
        validate_add_line(v, "\"%s, h = %g d, R = %u d\",%g,%.6g,%.6g,%.6g,%.6g", d->name,
                          d->support, d->layers, 0.1 * frame, a, b, theory.a, theory.b);
    }
    validate_close(world);
    return worst;
}

static void check_drop(validate *v, const drop_case *d, double error, double limit,
                       const char *what)
{
    validate_at_most(v, error, limit,
                     "%s, h = %g d, R = %u d: %s, maximum relative error up to A0 t = 1", d->name,
                     d->support, d->layers, what);
}

static void run_ellipse(validate *v, const drop_case *d)
{
    drop_errors worst = measure_drop(v, d);
    check_drop(v, d, worst.a, 0.02, "short semi-axis");
    check_drop(v, d, worst.b, 0.02, "long semi-axis");
    check_drop(v, d, worst.area, 0.01, "area");
}

void validate_ellipse(validate *v)
{
    validate_add_line(v, "start,t,a,b,a_theory,b_theory");
    if (v->size == VALIDATE_WHOLE) {
        create_settled_drop(v, &narrow[0]);
        for (size_t i = 0; i < BASE_COUNT(narrow); ++i)
            run_ellipse(v, &narrow[i]);
    }
    create_settled_drop(v, &wide[0]);
    for (size_t i = 0; i < BASE_COUNT(wide); ++i)
        run_ellipse(v, &wide[i]);
    validate_write_table(v, "ellipse");
}

void validate_ellipse_fine(validate *v)
{
    validate_add_line(v, "start,t,a,b,a_theory,b_theory");
    run_ellipse(v, &fine);
    validate_write_table(v, "ellipse_fine");
}

/* ---- drop in a central force ---------------------------------------------------------------- */

#define OSCILLATION_FRAMES 560u
#define FRAME_S 0.02

/* sigma' = (sigma^2 + 1) (b^2 - a^2) / (a^2 + b^2), a' = sigma a, b' = -sigma b at Omega = 1:
   for sigma0 = 0.5 the period is 4.56740, and a reaches 1.41421. */
static char *oscillation_json(const char *method, double spacing)
{
    return base_format(
        "{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': %g,"
        " 'domain': {'min': [-3, -3, -0.1], 'max': [3, 3, 0.1]},"
        " 'forces': [{'strength': 1}],"
        " 'solver': {'method': '%s', 'dimensions': 2, 'substeps': 4,"
        " 'reference_dt': 0.005, 'sound_speed': 10}, 'fluids': [{'name': 'water', 'fill': {"
        "'velocity_gradient': {'x': [0.5, 0, 0], 'y': [0, -0.5, 0]},"
        "'shape': {'sphere': {'radius': %g}}}}]}",
        spacing, 1.0 / FRAME_S, method, RADIUS);
}

/* The maximum of the values after `from`; a parabola through three points gives the peak. */
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

static void run_oscillation(validate *v, const char *method)
{
    static double a[OSCILLATION_FRAMES + 1];
    const uint32_t frames = v->size == VALIDATE_WHOLE ? OSCILLATION_FRAMES : 300, period = 229;
    axes first, now;
    validate_world *world = validate_open(v, oscillation_json(method, RADIUS / 25));
    read_axes(world, &first);
    a[0] = 1.0;
    for (uint32_t frame = 1; frame <= frames; ++frame) {
        validate_run(world, 1);
        read_axes(world, &now);
        a[frame] = now.a / first.a;
        validate_add_line(v, "%s,%g,%.6g,%.6g", method, FRAME_S * frame, a[frame], now.b / first.b);
    }
    peak one = find_peak(a, 0, period), two = find_peak(a, period, frames + 1);
    validate_within(v, (two.frame - one.frame) * FRAME_S / 4.5674, (validate_range){1.0, 0.02},
                    "%s, drop in a central force: period, ratio to theory", method);
    validate_within(v, one.height / sqrt(2.0), (validate_range){1.0, 0.03},
                    "%s, drop in a central force: first maximum of semi-axis a, ratio to theory",
                    method);
    validate_at_most(v, 1.0 - (two.height - 1.0) / (one.height - 1.0), 0.1,
                     "%s, drop in a central force: relative loss of amplitude per period", method);
    validate_close(world);
}

void validate_oscillation(validate *v)
{
    validate_add_line(v, "method,t,a,b");
    run_oscillation(v, "pbf");
    run_oscillation(v, "pcisph");
    run_oscillation(v, "wcsph");
    validate_write_table(v, "oscillation");
}
