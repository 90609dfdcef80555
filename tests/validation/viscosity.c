/* G8: viscosity in Pa s: flow between plates, a block of tar with long steps, gravity currents
   (Huppert 1982). */
#include "validate_internal.h"

#define PI 3.14159265358979323846

/* ---- between plates, in the plane ----------------------------------------------------------- */

#define PLATE_D 0.005
#define PLATE_GAP (24 * PLATE_D)
#define PLATE_NU 0.005 /* m2/s: 5 Pa s, 1000 kg/m3 */

/* Returns the root mean square of u - expected, over that of expected. */
static double profile_error(const validate_world *world, double (*expected)(double y, double t))
{
    double off = 0.0, size = 0.0;
    for (uint32_t i = 0; i < world->count; ++i) {
        double u = expected((double)world->x[i].y, world->stats.time_s);
        off += pow((double)world->v[i].x - u, 2.0);
        size += u * u;
    }
    return sqrt(off / size);
}

static void add_profile(validate *v, const char *flow, const validate_world *world,
                        double (*expected)(double y, double t))
{
    for (uint32_t i = 0; i < world->count; ++i)
        validate_add_line(v, "%s,%.4g,%.6g,%.6g,%.6g", flow, world->stats.time_s,
                          (double)world->x[i].y, (double)world->v[i].x,
                          expected((double)world->x[i].y, world->stats.time_s));
}

/* Returns the number of frames in which diffusion crosses that fraction of the gap. */
static uint32_t plate_frames(double share)
{
    return (uint32_t)rint(60.0 * share * PLATE_GAP * PLATE_GAP / PLATE_NU);
}

static char *plate_scene(const char *gravity, const char *solids)
{
    return base_format("{'spacing': %g, 'frame_rate': 60, 'gravity': [%s, 0, 0],"
                       " 'domain': {'min': [0, 0, 0], 'max': [0.1, %g, 0.05],"
                       " 'sides': {'x': 'periodic'}}, 'solver': {'dimensions': 2},"
                       " 'fluids': [{'name': 'honey', 'xsph': 0, 'dynamic_viscosity': %g,"
                       " 'fill': {'shape': {'box': {'min': [0, 0, 0], 'max': [0.1, %g, 0.05]}}}}]"
                       "%s}",
                       PLATE_D, gravity, PLATE_GAP + (solids[0] ? 4 * PLATE_D : 0.0),
                       1000.0 * PLATE_NU, PLATE_GAP, solids);
}

static double poiseuille(double y, double t)
{
    double u = 2.0 / (2.0 * PLATE_NU) * y * (PLATE_GAP - y); /* driven by 2 m/s2 */
    for (int n = 1; n < 40; n += 2) {
        double k = n * PI / PLATE_GAP;
        u -= 8.0 / (PLATE_GAP * k * k * k * PLATE_NU) * sin(k * y) * exp(-PLATE_NU * k * k * t);
    }
    return u;
}

#define COUETTE_SPEED 0.2 /* m/s */

static double couette(double y, double t)
{
    double u = y / PLATE_GAP;
    for (int n = 1; n < 40; ++n) {
        double k = n * PI / PLATE_GAP;
        u += 2.0 / (n * PI) * (n % 2 ? -1.0 : 1.0) * exp(-PLATE_NU * k * k * t) * sin(k * y);
    }
    return COUETTE_SPEED * u;
}

typedef struct plate_flow {
    const char *name, *gravity, *solids;
    double (*expected)(double y, double t);
} plate_flow;

/* Runs until the flow is steady. */
static void check_steady(validate *v, const plate_flow *flow, validate_world *world,
                         uint32_t frames)
{
    validate_run(world, frames);
    validate_read(world);
    add_profile(v, flow->name, world, flow->expected);
    validate_within(v, profile_error(world, flow->expected), (validate_range){0, 0.05},
                    "%s, 2-D, gap 24 d, 5 Pa s: steady velocity profile, relative RMS error",
                    flow->name);
    validate_report(v, world->stats.viscous_iterations / 4.0,
                    "%s, 2-D, gap 24 d, 5 Pa s: viscosity iterations per substep", flow->name);
}

static void run_plate_flow(validate *v, const plate_flow *flow)
{
    uint32_t start = plate_frames(0.05), end = plate_frames(0.6);
    validate_world *world = validate_open_run(v, plate_scene(flow->gravity, flow->solids), start);
    add_profile(v, flow->name, world, flow->expected);
    validate_within(v, profile_error(world, flow->expected), (validate_range){0, 0.05},
                    "%s, 2-D, gap 24 d, 5 Pa s: early velocity profile, relative RMS error",
                    flow->name);
    if (v->size >= VALIDATE_COARSE) check_steady(v, flow, world, end - start);
    validate_close(world);
}

void validate_plate_flows(validate *v)
{
    static const char moving[] =
        ", 'solids': [{'name': 'plate', 'shape': {'box': {'min': [-2, 0.12, -1],"
        " 'max': [2, 0.3, 1]}}, 'motion': {'keyframes': [{'time': 0, 'position': [0, 0, 0]},"
        " {'time': 5, 'position': [1, 0, 0]}]}}]";
    static const plate_flow flows[] = {{"Poiseuille", "2", "", poiseuille},
                                       {"Couette", "0", moving, couette}};
    validate_add_line(v, "flow,t_s,y_m,u_m_s,theory_m_s");
    for (size_t i = 0; i < BASE_COUNT(flows); ++i)
        run_plate_flow(v, &flows[i]);
    validate_write_table(v, "plates");
}

/* ---- tar at 60 Hz --------------------------------------------------------------------------- */

/* Runs a block of 0.2 m with 1 kPa s for a second: measures how far its centre sinks, and the
   worst value of each frame. */
static void run_tar_block(validate *v, uint32_t substeps, double *sink_m, weir_stats *worst)
{
    char *json = base_format(
        "{'spacing': 0.025, 'frame_rate': 60, 'domain': {'min': [-0.4, 0, -0.4],"
        " 'max': [0.4, 0.4, 0.4]}, 'solver': {'substeps': %u}, 'fluids': [{'name': 'tar',"
        " 'density': 1400, 'xsph': 0, 'dynamic_viscosity': 1000, 'fill': {'shape': {'box': {"
        "'min': [-0.1, 0, -0.1], 'max': [0.1, 0.2, 0.1]}}}}]}",
        substeps);
    validate_world *world = validate_open(v, json);
    for (uint32_t frame = 0; frame < (v->size == VALIDATE_SMALL ? 15u : 60u); ++frame) {
        validate_run(world, 1);
        worst->speed_max_m_s = fmax(worst->speed_max_m_s, world->stats.speed_max_m_s);
        worst->viscous_residual = fmax(worst->viscous_residual, world->stats.viscous_residual);
        worst->density_error_mean =
            fmax(worst->density_error_mean, world->stats.density_error_mean);
    }
    *sink_m = 0.1 - world->stats.centre_of_mass_m[1];
    validate_close(world);
}

void validate_stiff_viscosity(validate *v)
{
    weir_stats worst = {0}, finer = {0};
    double sink_m = 0.0, sunk_finer = 0.0;
    run_tar_block(v, 1, &sink_m, &worst);
    validate_at_most(v, worst.speed_max_m_s, 0.1,
                     "1 kPa s, one substep at 60 Hz: maximum speed, m/s");
    validate_at_most(
        v, worst.viscous_residual, 1e-4,
        "1 kPa s, one substep at 60 Hz: maximum relative residual of the viscosity solve");
    validate_at_most(v, worst.density_error_mean, 0.01,
                     "1 kPa s, one substep at 60 Hz: maximum of the mean density error");
    if (v->size != VALIDATE_WHOLE) return;
    run_tar_block(v, 4, &sunk_finer, &finer);
    validate_within(
        v, sink_m / sunk_finer, (validate_range){1, 0.05},
        "1 kPa s, one substep at 60 Hz: sinking in 1 s, ratio to that with four substeps");
}

/* ---- currents ------------------------------------------------------------------------------- */

/* A block of fluid that spreads on a floor. Its extent follows from the mean square distance of
   its particles, which is a known fraction of x_N^2 for a current of Huppert's shape h ~ (1 -
   x^2/x_N^2)^(1/3). */
typedef struct current_case {
    const char *name, *scene;
    double share, exponent;
    double factor;               /* x_N = factor t^exponent, m, s */
    uint32_t first_fitted_frame; /* the exponent is fitted from this frame on */
    uint32_t first, last, each;  /* frames */
} current_case;

#define CURRENT_POINTS 64u

static double extent(const validate_world *world, const current_case *c)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < world->count; ++i) {
        double x = (double)world->x[i].x, z = (double)world->x[i].z;
        sum += x * x + (c->exponent < 0.15 ? z * z : 0.0);
    }
    return sqrt(sum / world->count / c->share);
}

/* Returns the slope of log x against log (t - start), and the residual sum of squares. */
static double fit_slope(const double *t, const double *x, uint32_t n, double start, double *rest)
{
    double a = 0, b = 0, aa = 0, ab = 0, bb = 0;
    for (uint32_t i = 0; i < n; ++i) {
        double p = log(t[i] - start), q = log(x[i]);
        a += p, b += q, aa += p * p, ab += p * q, bb += q * q;
    }
    double slope = (ab - a * b / n) / (aa - a * a / n);
    *rest = bb - b * b / n - slope * (ab - a * b / n);
    return slope;
}

/* Fits the exponent with a free origin of time, because a block is not a point source. */
static double fit_exponent(const double *t, const double *x, uint32_t n)
{
    double best = INFINITY, exponent = 0.0;
    for (double share = -3.0; share < 0.95; share += 0.01) {
        double rest, slope = fit_slope(t, x, n, share * t[0], &rest);
        if (rest >= best) continue;
        best = rest;
        exponent = slope;
    }
    return exponent;
}

static void run_current(validate *v, const current_case *c)
{
    double t[CURRENT_POINTS], x[CURRENT_POINTS];
    uint32_t n = 0, early = 0;
    validate_world *world = validate_open_run(v, base_format("%s", c->scene), c->first);
    for (uint32_t frame = c->first; frame <= c->last && n < CURRENT_POINTS; frame += c->each) {
        t[n] = world->stats.time_s;
        x[n] = extent(world, c);
        validate_add_line(v, "%s,%.6g,%.6g,%.6g", c->name, t[n], x[n],
                          c->factor * pow(t[n], c->exponent));
        early += frame < c->first_fitted_frame;
        ++n;
        validate_run(world, c->each);
        validate_read(world);
    }
    validate_within(v, fit_exponent(t + early, x + early, n - early) / c->exponent,
                    (validate_range){1, 0.1}, "%s: exponent from %g s on, ratio to Huppert's",
                    c->name, t[early]);
    validate_report(v, fit_exponent(t, x, n) / c->exponent,
                    "%s: exponent from %g s on (block falling), ratio to Huppert's", c->name, t[0]);
    validate_report(v, x[n - 1] / (c->factor * pow(t[n - 1], c->exponent)),
                    "%s: extent at the end, ratio to Huppert's", c->name);
    validate_close(world);
}

/* q = 0.03 m2 on either side, nu 0.02 m2/s: 1.411 (g q^3 / 3 nu)^(1/5). */
static const char plane_current[] =
    "{'spacing': 0.01, 'frame_rate': 60, 'domain': {'min': [-1.5, 0, 0], 'max': [1.5, 0.4, 0.1]},"
    " 'solver': {'dimensions': 2}, 'fluids': [{'name': 'honey', 'xsph': 0,"
    " 'dynamic_viscosity': 20, 'fill': {'shape': {'box': {'min': [-0.2, 0, 0],"
    " 'max': [0.2, 0.15, 0.1]}}}}]}";

/* Q = pi 0.12^2 0.16 m3, nu 0.044 m2/s: 0.894 (g Q^3 / 3 nu)^(1/8). */
static const char round_current[] =
    "{'spacing': 0.01, 'frame_rate': 60, 'domain': {'min': [-0.4, 0, -0.4],"
    " 'max': [0.4, 0.25, 0.4]}, 'fluids': [{'name': 'honey', 'xsph': 0, 'dynamic_viscosity': 44,"
    " 'fill': {'shape': {'cylinder': {'radius': 0.12, 'height': 0.16}, 'position': [0, 0.08, "
    "0]}}}]}";

void validate_gravity_current(validate *v)
{
    const current_case c = {.name = "2-D, 600 particles, 20 Pa s",
                            .scene = plane_current,
                            .share = 3.0 / 11.0,
                            .exponent = 0.2,
                            .factor = 1.411 * pow(9.81 * pow(0.03, 3) / 0.06, 0.2),
                            .first_fitted_frame = 60,
                            .first = 30,
                            .last = 300,
                            .each = 15};
    validate_add_line(v, "current,t_s,extent_m,theory_m");
    run_current(v, &c);
    validate_write_table(v, "current");
}

void validate_axisymmetric_current(validate *v)
{
    const current_case c = {.name = "3-D, 7200 particles, 44 Pa s",
                            .scene = round_current,
                            .share = 3.0 / 7.0,
                            .exponent = 0.125,
                            .factor = 0.894 * pow(9.81 * pow(PI * 0.0144 * 0.16, 3) / 0.132, 0.125),
                            .first_fitted_frame = 60,
                            .first = 12,
                            .last = 180,
                            .each = 6};
    validate_add_line(v, "current,t_s,extent_m,theory_m");
    run_current(v, &c);
    validate_write_table(v, "round-current");
}
