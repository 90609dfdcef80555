/* G6: decay of a shear wave by XSPH, and oscillation of a standing wave, in the plane. */
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
