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

#define DROP_D (RADIUS / 25)

/* Initial states: a lattice, whose layers buckle when they are squeezed, and particles that have
   settled in disorder. */
typedef struct drop_case {
    const char *name, *method;
    bool settled;
} drop_case;
static const drop_case drops[] = {{"lattice", "pbf", false},
                                  {"settled start", "pbf", true},
                                  {"PCISPH, lattice", "pcisph", false},
                                  {"PCISPH, settled start", "pcisph", true},
                                  {"WCSPH, lattice", "wcsph", false},
                                  {"WCSPH, settled start", "wcsph", true}};

static char *ellipse_json(const char *method, const char *forces, const char *fill)
{
    return base_format(
        "{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 10, 'forces': [%s],"
        " 'domain': {'min': [-3, -3, -0.1], 'max': [3, 3, 0.1]},"
        " 'solver': {'method': '%s', 'dimensions': 2, 'substeps': 20,"
        " 'reference_dt': 0.005, 'sound_speed': 20}, 'fluids': [{'name': 'water', %s}]}",
        DROP_D, forces, method, fill);
}

/* Lets a drop of jittered particles come to rest in a central force. It then receives the
   velocities of the theory. */
static void create_settled_drop(validate *v)
{
    char *json = ellipse_json("pbf", "{'strength': 1}",
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
    return ellipse_json(d->method, "",
                        d->settled
                            ? "'fill': {'file': 'drop.npy'}"
                            : "'fill': {'velocity_gradient': {'x': [-1, 0, 0], 'y': [0, 1, 0]},"
                              " 'shape': {'sphere': {'radius': 1}}}");
}

static void run_ellipse(validate *v, const drop_case *d)
{
    axes first, now;
    double worst_a = 0, worst_b = 0, worst_area = 0;
    if (d->settled) create_settled_drop(v);
    validate_world *world = validate_open(v, drop_json(d));
    read_axes(world, &first);
    for (uint32_t frame = 1; frame <= 10; ++frame) {
        axes theory = ellipse_at(0.1 * frame);
        validate_run(world, 1);
        read_axes(world, &now);
        double a = now.a / first.a, b = now.b / first.b;
        worst_a = fmax(worst_a, fabs(a / theory.a - 1));
        worst_b = fmax(worst_b, fabs(b / theory.b - 1));
        worst_area = fmax(worst_area, fabs(a * b - 1));
        validate_add_line(v, "\"%s\",%g,%.6g,%.6g,%.6g,%.6g", d->name, 0.1 * frame, a, b, theory.a,
                          theory.b);
    }
    validate_at_most(v, worst_a, 0.02, "%s: short semi-axis, maximum relative error up to A0 t = 1",
                     d->name);
    validate_at_most(v, worst_b, 0.02, "%s: long semi-axis, maximum relative error up to A0 t = 1",
                     d->name);
    validate_at_most(v, worst_area, 0.01, "%s: area, maximum relative error up to A0 t = 1",
                     d->name);
    validate_close(world);
}

/* Runs the elliptical drop with R = 25 d. */
void validate_ellipse(validate *v)
{
    validate_add_line(v, "start,t,a,b,a_theory,b_theory");
    for (size_t i = 0; i < BASE_COUNT(drops); ++i)
        run_ellipse(v, &drops[i]);
    validate_write_table(v, "ellipse");
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
