/* G6: decay of a shear wave by XSPH, oscillation of a standing wave, and what the sides of a sea
   reflect, in the plane. */
#include "validate_internal.h"

#define PI 3.14159265358979323846

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

/* XSPH on the lattice: in a substep a wave keeps the fraction 1 - c sum V W (1 - cos k y). */
static double lattice_viscosity(double c, double dt)
{
    const double h = 2.1 * SHEAR_D, k = 2.0 * PI / LENGTH;
    double rest = 0.0, lost = 0.0;
    for (int y = -2; y <= 2; ++y)
        for (int x = -2; x <= 2; ++x) {
            double t = fmax(1.0 - (x * x + y * y) * SHEAR_D * SHEAR_D / (h * h), 0.0);
            rest += t * t * t;
            lost += t * t * t * (1.0 - cos(k * y * SHEAR_D));
        }
    return -log(1.0 - c * lost / rest) / (k * k * dt);
}

static double measure_shear(validate *v, double c, uint32_t substeps)
{
    const double k = 2.0 * PI / LENGTH;
    char *json =
        base_format("{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 60,"
                    " 'domain': {'min': [0, 0, 0], 'max': [%g, %g, 0.1],"
                    " 'sides': {'x': 'periodic', 'y': 'periodic'}},"
                    " 'solver': {'dimensions': 2, 'substeps': %u, 'artificial_pressure': 0},"
                    " 'fluids': [{'name': 'water', 'xsph': %g, 'fill': {"
                    "'velocity_wave': {'amplitude': [0.02, 0, 0],"
                    " 'wave_vector': [0, %.9g, 0]},"
                    "'shape': {'box': {'min': [0, 0, 0], 'max': [%g, %g, 0.1]}}}}]}",
                    SHEAR_D, LENGTH, LENGTH, substeps, c, k, LENGTH, LENGTH);
    validate_world *world = validate_open_run(v, json, 5);
    double before = wave_amplitude(world), t = world->stats.time_s;
    validate_run(world, 40);
    validate_read(world);
    double viscosity = log(before / wave_amplitude(world)) / (k * k * (world->stats.time_s - t));
    validate_close(world);
    return viscosity;
}

void validate_shear(validate *v)
{
    static const double shares[] = {0.1, 0.5, 0.01};
    double coarse = 0.0;
    validate_add_line(v, "c,substeps,nu_m2_s,theory_m2_s");
    for (size_t i = 0; i <= (size_t)v->size; ++i) {
        double c = shares[i], theory = lattice_viscosity(c, 1.0 / 240.0),
               got = measure_shear(v, c, 4);
        validate_within(v, got / theory, (validate_range){1.0, 0.1},
                        "XSPH c = %g, wavelength 16 h: kinematic viscosity, ratio to theory", c);
        validate_report(v, got, "XSPH c = %g, d = 0.05 m: kinematic viscosity, m2/s", c);
        if (i == 0) coarse = got;
        validate_add_line(v, "%g,4,%.6g,%.6g", c, got, theory);
    }
    if (v->size >= VALIDATE_COARSE) {
        validate_within(
            v, measure_shear(v, 0.1, 8) / coarse, (validate_range){1.0, 0.1},
            "XSPH c = 0.1: viscosity at half the substep length, ratio to the full length");
    }
    validate_write_table(v, "shear");
}

/* ---- standing wave -------------------------------------------------------------------------- */

#define WAVE_LENGTH 2.0  /* m: 64 d where the depth is 28 d */
#define WAVE_DEPTH 0.875 /* m */
#define WAVE_FRAMES 360u /* 1.5 s at 240 Hz */

/* Writes the lattice, `layers` deep, displaced by linear theory so that the surface is at
   A cos(k x). */
static void write_wave(validate *v, uint32_t layers)
{
    const double k = 2.0 * PI / WAVE_LENGTH, amplitude = 0.05 * WAVE_DEPTH;
    const double d = WAVE_DEPTH / layers;
    const uint32_t across = (uint32_t)lround(WAVE_LENGTH / d);
    for (uint32_t i = 0; i < across * layers; ++i) {
        uint32_t row = i / across;
        double x = (i % across + 0.5) * d, y = (row + 0.5) * d;
        double scale = amplitude / sinh(k * WAVE_DEPTH);
        vec3 p = {(float)(x - scale * cosh(k * y) * sin(k * x)),
                  (float)fmax(y + scale * sinh(k * y) * cos(k * x), 0.5 * d), 0.05f};
        validate_add_point(v, p, vec3_make(0, 0, 0));
    }
    validate_write_points(v, "wave");
}

static double surface_mode(const validate_world *world)
{
    double sum = 0.0;
    for (uint32_t i = 0; i < world->count; ++i)
        sum += (double)world->x[i].y * cos(2.0 * PI / WAVE_LENGTH * (double)world->x[i].x);
    return 2.0 * sum / world->count;
}

/* One run. `name` is shown, `label` is in the table; `solver`: keys besides the one that all waves
   have; `tolerance`: of the period. */
typedef struct wave_case {
    const char *name, *label, *solver;
    uint32_t layers; /* spacings in the depth */
    double tolerance;
} wave_case;

/* The period is the time from the first zero crossing to the third; the damping follows from the
 * extremes between the crossings. */
static void check_wave(validate *v, const double *mode, const wave_case *c)
{
    double crossings[4], valleys[2] = {0};
    uint32_t found = 0;
    for (uint32_t i = 1; i <= WAVE_FRAMES && found < 4; ++i)
        if ((mode[i - 1] < 0) != (mode[i] < 0))
            crossings[found++] = i - 1 + mode[i - 1] / (mode[i - 1] - mode[i]);
    const double k = 2.0 * PI / WAVE_LENGTH;
    double theory = 2.0 * PI / sqrt(9.81 * k * tanh(k * WAVE_DEPTH));
    double period = found < 3 ? 0.0 : (crossings[2] - crossings[0]) / 240.0;
    validate_within(v, period / theory, (validate_range){1.0, c->tolerance},
                    "standing wave, %s, depth %u d: period, ratio to theory", c->name, c->layers);
    if (found < 3) return;
    for (uint32_t i = 0; i <= WAVE_FRAMES; ++i) {
        if (i < crossings[1])
            valleys[0] = fmin(valleys[0], mode[i]);
        else if (i < crossings[2])
            valleys[1] = fmax(valleys[1], mode[i]);
    }
    double rate = log(-valleys[0] / valleys[1]) / (0.5 * period);
    validate_at_most(v, rate / (2.0 * k * k), 0.003,
                     "standing wave, %s, depth %u d: damping as a kinematic viscosity, m2/s",
                     c->name, c->layers);
}

static void run_standing_wave(validate *v, const wave_case *c)
{
    static double mode[WAVE_FRAMES + 1];
    char *json = base_format("{'spacing': %.9g, 'frame_rate': 240,"
                             " 'domain': {'min': [0, 0, 0], 'max': [%g, 1.5, 0.1],"
                             " 'sides': {'x': 'periodic', 'y': ['closed', 'open']}},"
                             " 'solver': {'dimensions': 2, %s},"
                             " 'fluids': [{'name': 'water', 'xsph': 0,"
                             " 'fill': {'file': 'wave.npy'}}]}",
                             WAVE_DEPTH / c->layers, WAVE_LENGTH, c->solver);
    write_wave(v, c->layers);
    validate_world *world = validate_open(v, json);
    for (uint32_t frame = 0; frame <= WAVE_FRAMES; ++frame) {
        if (frame) validate_run(world, 1);
        validate_read(world);
        mode[frame] = surface_mode(world);
        validate_add_line(v, "%s,%.6g,%.6g,%.6g", c->label, frame / 240.0, mode[frame],
                          world->stats.kinetic_energy_j);
    }
    check_wave(v, mode, c);
    validate_close(world);
}

static void run_standing_waves(validate *v, const wave_case *cases, size_t count)
{
    for (size_t i = 0; i < count; ++i)
        run_standing_wave(v, &cases[i]);
}

void validate_standing_wave(validate *v)
{
    static const wave_case all[] = {
        {"PBF", "pbf", "'substeps': 2, 'long_range_correction': 'off'", 28, 0.05},
        {"FLIP", "flip", "'substeps': 2, 'method': 'flip'", 28, 0.03},
        {"APIC", "apic", "'substeps': 2, 'method': 'apic'", 28, 0.03}};
    static const wave_case whole[] = {{"long-range correction", "pbf with multigrid",
                                       "'substeps': 2, 'long_range_correction': 'on'", 28, 0.05},
                                      {"long-range correction", "pbf with multigrid at 56 d",
                                       "'substeps': 4, 'long_range_correction': 'on'", 56, 0.05}};
    validate_add_line(v, "solver,t_s,mode_m,kinetic_j");
    run_standing_waves(v, all, BASE_COUNT(all));
    if (v->size == VALIDATE_WHOLE) run_standing_waves(v, whole, BASE_COUNT(whole));
    validate_write_table(v, "wave");
}

/* The speed of sound determines the substeps. */
void validate_wcsph_wave(validate *v)
{
    static const wave_case all[] = {{"WCSPH", "wcsph", "'method': 'wcsph'", 28, 0.05},
                                    {"WCSPH", "wcsph at 56 d", "'method': 'wcsph'", 56, 0.05}};
    validate_add_line(v, "solver,t_s,mode_m,kinetic_j");
    run_standing_waves(v, all, v->size == VALIDATE_WHOLE ? 2 : 1);
    validate_write_table(v, "wcsph_wave");
}

/* ---- the sides of a sea -------------------------------------------------------------------------

   Waves run from a generating zone into an absorbing one, and for comparison to a plain wall.
   Gauges of pressure separate the incident and the reflected waves by least squares (Mansard and
   Funke 1980, with more than three gauges and the wave number fitted). */

#define SEA_D 0.02 /* m */
#define GAUGES 10u
#define GAUGE_STEP 0.07 /* wavelengths between gauges */

/* Lengths are in spacings. */
typedef struct sea_case {
    double length, depth, steepness; /* of the waves; height over length */
    double zone;                     /* width of a zone over the wavelength */
    double cell;                     /* solver.grid_cell_size */
    uint32_t before, during;         /* periods before and during the measurement */
    uint32_t rate;                   /* frames per period */
} sea_case;

typedef struct sea_tank {
    const sea_case *of;
    double k, period, width,
        end;          /* rad/m, s, m; m: of the tank, and where the wall or the zone is */
    double x[GAUGES]; /* m: of the gauges */
    double re[GAUGES],
        im[GAUGES]; /* amplitudes: the pressure is the real part of theirs exp(-i w t) */
} sea_tank;

static void place_gauges(sea_tank *tank, bool absorbs)
{
    const double length = tank->of->length * SEA_D, zone = tank->of->zone * length;
    tank->k = 2.0 * PI / length;
    tank->period = 2.0 * PI / sqrt(9.81 * tank->k * tanh(tank->k * tank->of->depth * SEA_D));
    tank->end = round((zone + 0.9 * length) / SEA_D) * SEA_D;
    tank->width = tank->end + (absorbs ? round(zone / SEA_D) * SEA_D : 0.0);
    for (uint32_t i = 0; i < GAUGES; ++i)
        tank->x[i] = tank->end - (0.1 + GAUGE_STEP * i) * length;
}

static char *tank_json(const sea_tank *tank, bool absorbs)
{
    const sea_case *c = tank->of;
    const double length = c->length * SEA_D, depth = c->depth * SEA_D,
                 height = c->steepness * length;
    base_text gauges = {0};
    for (uint32_t i = 0; i < GAUGES; ++i)
        base_text_append(&gauges, "%s{'name': 'p%u', 'pressure': {'position': [%.9g, %.9g, 0.05]}}",
                         i ? ", " : "", i, tank->x[i], depth - fmax(3.0 * SEA_D, 0.1 * length));
    char *json = base_format(
        "{'spacing': %g, 'frame_rate': %.9g, 'domain': {'min': [0, 0, 0], 'max': [%.9g, %.9g, "
        "0.1]},"
        " 'solver': {'dimensions': 2, 'method': 'apic', 'grid_cell_size': %g},"
        " 'sea': {'level': %.9g, 'zone_width': %.9g, 'zones': {'x': ['generating', '%s']},"
        " 'waves': {'height': %.9g, 'period': %.9g}}, 'gauges': [%s]}",
        SEA_D, c->rate / tank->period, tank->width, depth + 2.5 * height + 6.0 * SEA_D, c->cell,
        depth, c->zone * length, absorbs ? "absorbing" : "none", height, tank->period,
        gauges.items);
    base_free(gauges.items);
    return json;
}

/* Runs the tank, and computes the amplitudes at the waves' frequency over whole periods. */
static void measure(validate *v, sea_tank *tank, bool absorbs)
{
    const sea_case *c = tank->of;
    const uint32_t frames = c->during * c->rate;
    weir_gauge gauges[VALIDATE_GAUGES];
    validate_world *world = validate_open(v, tank_json(tank, absorbs));
    validate_run(world, c->before * c->rate);
    for (uint32_t frame = 0; frame < frames; ++frame) {
        validate_run(world, 1);
        validate_read_gauges(world, gauges);
        double angle = 2.0 * PI * frame / c->rate;
        for (uint32_t i = 0; i < GAUGES; ++i) {
            tank->re[i] += 2.0 * gauges[i].value[0] * cos(angle) / frames;
            tank->im[i] += 2.0 * gauges[i].value[0] * sin(angle) / frames;
        }
    }
    validate_close(world);
}

typedef struct sea_fit {
    double incident, reflected, residual; /* squares of amplitudes */
} sea_fit;

/* Fits A exp(i k x) + B exp(-i k x) to the amplitudes. */
static sea_fit separate(const sea_tank *tank, double k)
{
    double c = 0.0, s = 0.0, a[2] = {0}, b[2] = {0}, sum = 0.0; /* c + i s: sum of exp(2 i k x) */
    for (uint32_t i = 0; i < GAUGES; ++i) {
        const double x = cos(k * tank->x[i]), y = sin(k * tank->x[i]);
        const double re = tank->re[i], im = tank->im[i];
        c += x * x - y * y;
        s += 2.0 * x * y;
        a[0] += x * re + y * im;
        a[1] += x * im - y * re;
        b[0] += x * re - y * im;
        b[1] += x * im + y * re;
        sum += re * re + im * im;
    }
    const double n = GAUGES, det = n * n - c * c - s * s;
    const double a_re = (n * a[0] - c * b[0] - s * b[1]) / det;
    const double a_im = (n * a[1] - c * b[1] + s * b[0]) / det;
    const double b_re = (n * b[0] - c * a[0] + s * a[1]) / det;
    const double b_im = (n * b[1] - c * a[1] - s * a[0]) / det;
    const double told = a_re * a[0] + a_im * a[1] + b_re * b[0] + b_im * b[1];
    return (sea_fit){a_re * a_re + a_im * a_im, b_re * b_re + b_im * b_im, sum - told};
}

/* Returns the reflection coefficient with the wave number that fits best: on a grid of few cells in
   a wavelength waves are shorter than in theory. */
static double reflection(validate *v, const sea_case *c, bool absorbs)
{
    sea_tank tank = {.of = c};
    sea_fit best = {.residual = INFINITY};
    double ratio = 0.0;
    place_gauges(&tank, absorbs);
    measure(v, &tank, absorbs);
    for (int i = -10; i <= 30; ++i) {
        sea_fit fit = separate(&tank, tank.k * (1.0 + 0.01 * i));
        if (fit.residual < best.residual) best = fit, ratio = 1.0 + 0.01 * i;
    }
    double got = sqrt(best.reflected / best.incident);
    validate_add_line(v, "%g,%s,%.4g,%.3g,%.3g", c->length, absorbs ? "zone" : "wall", got, ratio,
                      sqrt(best.residual / (GAUGES * best.incident)));
    return got;
}

static void run_case(validate *v, const sea_case *c)
{
    validate_at_most(v, reflection(v, c, true), 0.05,
                     "waves of %g d into an absorbing side of %g wavelengths: reflected height",
                     c->length, c->zone);
    validate_at_most(v, 1.0 - reflection(v, c, false), 0.2,
                     "waves of %g d at a plain wall: height that is not reflected", c->length);
}

void validate_sea_reflection(validate *v)
{
    static const sea_case small = {60, 12, 0.05, 1, 2, 3, 2, 24};
    static const sea_case all[] = {{20, 6, 0.08, 2, 1.5, 6, 5, 40},
                                   {60, 20, 0.05, 1, 2, 5, 4, 40},
                                   {200, 30, 0.03, 1, 2, 4, 3, 40}};
    validate_add_line(v, "length_d,side,reflection,k_over_theory,residual");
    if (v->size == VALIDATE_SMALL) run_case(v, &small);
    for (size_t i = 0; i < BASE_COUNT(all) && v->size > VALIDATE_SMALL; ++i)
        run_case(v, &all[i]);
    validate_write_table(v, "sea");
}
