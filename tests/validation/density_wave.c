/* G2: one iteration multiplies a density wave on a lattice by 1 - omega V^2 gP.gS / (D + epsilon).
 * Theory gives this factor exactly: g is the sum over the lattice of the kernel's slope times
 * sin(k.r), along r. Eight waves are measured at once; their amplitudes are so small that they do
 * not act on each other. */
#include "validate_internal.h"

#define PI 3.14159265358979323846
#define D 0.05
#define H (2.0 * D)
#define AMPLITUDE 3e-4 /* d, of every wave */
#define WAVES_PER_RUN 8u
#define TURNS 4u /* measurements of a wave, each at another phase: float rounding averages out */
#define MODES_MAX 128u

typedef struct wave_lattice {
    const char *kernel;         /* of the scene */
    uint32_t dimensions, sites; /* along an axis */
    uint32_t count;
    uint32_t mode_count;
    uint32_t first, last; /* range of the modes that are measured together */
    uint32_t turn;
    uint32_t modes[MODES_MAX][3]; /* waves along each axis */
} wave_lattice;

typedef struct vector3 {
    double x[3];
} vector3;

/* Waves such that no two are a rotation or reflection of each other. */
static wave_lattice make_lattice(uint32_t dimensions, const char *kernel)
{
    wave_lattice l = {
        .kernel = kernel, .dimensions = dimensions, .sites = dimensions == 3 ? 12 : 24};
    uint32_t half = l.sites / 2;
    l.count = l.sites * l.sites * (dimensions == 3 ? l.sites : 1);
    for (uint32_t a = 0; a <= half; ++a)
        for (uint32_t b = a; b <= half; ++b)
            for (uint32_t c = dimensions == 3 ? b : 0; c <= (dimensions == 3 ? half : 0); ++c) {
                const uint32_t mode[3] = {a, b, c};
                if (a + b + c > 0 && l.mode_count < MODES_MAX)
                    memcpy(l.modes[l.mode_count++], mode, sizeof mode);
            }
    return l;
}

static vector3 site_of(const wave_lattice *l, uint32_t i)
{
    uint32_t n = l->sites, row = i / n, layer = row / n;
    return (vector3){
        {(i % n + 0.5) * D, (row % n + 0.5) * D, l->dimensions == 3 ? (layer + 0.5) * D : 0.05}};
}

static vector3 wave_vector(const wave_lattice *l, uint32_t mode)
{
    const double unit = 2.0 * PI / (l->sites * D);
    return (vector3){
        {unit * l->modes[mode][0], unit * l->modes[mode][1], unit * l->modes[mode][2]}};
}

static double dot(vector3 a, vector3 b)
{
    return a.x[0] * b.x[0] + a.x[1] * b.x[1] + a.x[2] * b.x[2];
}

/* Waves have different phases, so that their sum has no peak. */
static double phase_of(const wave_lattice *l, uint32_t mode)
{
    return 2.399963 * mode + 0.7 + 1.3 * l->turn;
}

static void write_waves(validate *v, const wave_lattice *l, double sign)
{
    for (uint32_t i = 0; i < l->count; ++i) {
        vector3 x = site_of(l, i), moved = x;
        for (uint32_t m = l->first; m < l->last; ++m) {
            vector3 k = wave_vector(l, m);
            double shift = sign * AMPLITUDE * D * sin(dot(k, x) + phase_of(l, m)) / sqrt(dot(k, k));
            for (int a = 0; a < 3; ++a)
                moved.x[a] += shift * k.x[a];
        }
        vec3 at = {(float)moved.x[0], (float)moved.x[1], (float)moved.x[2]};
        validate_add_point(v, at, vec3_make(0, 0, 0));
    }
    validate_write_points(v, "waves");
}

/* ---- densities ------------------------------------------------------------------------------ */

static bool is_kernel(const wave_lattice *l, const char *kernel)
{
    return strcmp(l->kernel, kernel) == 0;
}

/* Returns the sum of W over all particles around i, in double. Only lattice neighbours are near
   enough. */
static double density_at(const wave_lattice *l, const vec3 *x, uint32_t i)
{
    const int n = (int)l->sites, deep = l->dimensions == 3 ? 2 : 0;
    const double period = n * D;
    const int at[3] = {(int)i % n, (int)i / n % n, (int)i / n / n};
    double sum = 0.0;
    for (int c = -deep; c <= deep; ++c)
        for (int b = -2; b <= 2; ++b)
            for (int a = -2; a <= 2; ++a) {
                int j = (at[0] + a + n) % n + (at[1] + b + n) % n * n +
                        (deep ? (at[2] + c + n) % n * n * n : 0);
                const double offset[3] = {(double)x[j].x - (double)x[i].x,
                                          (double)x[j].y - (double)x[i].y,
                                          (double)x[j].z - (double)x[i].z};
                double r2 = 0.0;
                for (int axis = 0; axis < (int)l->dimensions; ++axis) {
                    double d = offset[axis] - period * round(offset[axis] / period);
                    r2 += d * d;
                }
                if (r2 < H * H) sum += validate_kernel_value(l->kernel, l->dimensions, H, sqrt(r2));
            }
    return sum;
}

/* Adds the amplitude of every wave in the density, at the phase with which the wave was set up. */
static void add_amplitudes(const wave_lattice *l, const vec3 *x, double sign, double *amplitudes)
{
    for (uint32_t i = 0; i < l->count; ++i) {
        double density = density_at(l, x, i);
        for (uint32_t m = l->first; m < l->last; ++m)
            amplitudes[m] +=
                sign * density * cos(dot(wave_vector(l, m), site_of(l, i)) + phase_of(l, m));
    }
}

/* ---- theory --------------------------------------------------------------------------------- */

typedef struct theory {
    double factor;  /* 1 - omega V^2 gP.gS / (D + epsilon) */
    double visible; /* V h |gP|: visibility of the wave in the density */
} theory;

static theory factor_of(const wave_lattice *l, uint32_t mode, double omega, double epsilon)
{
    const int deep = l->dimensions == 3 ? 2 : 0;
    const char *corrections = is_kernel(l, "poly6") ? "spiky" : l->kernel;
    vector3 k = wave_vector(l, mode), density = {{0}}, correction = {{0}};
    double rest = 0.0, squares = 0.0;
    for (int c = -deep; c <= deep; ++c)
        for (int b = -2; b <= 2; ++b)
            for (int a = -2; a <= 2; ++a) {
                vector3 r = {{a * D, b * D, c * D}};
                double size = sqrt(dot(r, r));
                if (size >= H) continue;
                rest += validate_kernel_value(l->kernel, l->dimensions, H, size);
                if (size <= 0.0) continue;
                double p = -validate_kernel_slope(l->kernel, l->dimensions, H, size);
                double s = -validate_kernel_slope(corrections, l->dimensions, H, size);
                squares += s * s;
                for (int axis = 0; axis < 3; ++axis) {
                    density.x[axis] += p * r.x[axis] / size * sin(dot(k, r));
                    correction.x[axis] += s * r.x[axis] / size * sin(dot(k, r));
                }
            }
    double volume = 1.0 / rest;
    double softened = volume * volume * squares + epsilon / (H * H);
    return (theory){1.0 - omega * volume * volume * dot(density, correction) / softened,
                    volume * H * sqrt(dot(density, density))};
}

/* ---- the gate ------------------------------------------------------------------------------- */

typedef struct wave_setting {
    double omega, epsilon;
    const char *kernel, *label;
} wave_setting;

static validate_world *run_waves(validate *v, const wave_lattice *l, wave_setting s)
{
    double size = l->sites * D, deep = l->dimensions == 3 ? size : 0.1;
    char *json = base_format(
        "{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 240,"
        " 'domain': {'min': [0, 0, 0], 'max': [%g, %g, %g],"
        " 'sides': {'x': 'periodic', 'y': 'periodic', 'z': '%s'}},"
        " 'solver': {'pre_stabilization': 0, 'dimensions': %u, 'support_radius': 2, 'substeps': 1, "
        "'iterations': 1, "
        "'relaxation': %g,"
        " 'constraint_softening': %g, 'artificial_pressure': 0, 'allow_negative_pressure': true,"
        " 'max_correction': 1, 'kernel': '%s'},"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'file': 'waves.npy'}}]}",
        D, size, size, deep, l->dimensions == 3 ? "periodic" : "closed", l->dimensions, s.omega,
        s.epsilon, l->kernel);
    return validate_open(v, json);
}

/* Measures the waves, and the same waves with the opposite sign, so that second-order effects
   cancel. */
static void measure(validate *v, wave_lattice *l, wave_setting s, double factors[MODES_MAX])
{
    double before[MODES_MAX] = {0}, after[MODES_MAX] = {0};
    for (uint32_t run = 0; run < 2 * TURNS; run++) {
        double sign = run % 2 ? -1.0 : 1.0;
        l->turn = run / 2;
        write_waves(v, l, sign);
        validate_world *world = run_waves(v, l, s);
        validate_read(world);
        add_amplitudes(l, world->x, sign, before);
        validate_run(world, 1);
        validate_read(world);
        add_amplitudes(l, world->x, sign, after);
        validate_close(world);
    }
    for (uint32_t m = l->first; m < l->last; ++m)
        factors[m] = after[m] / before[m];
}

static void check_factors(validate *v, uint32_t dimensions, wave_setting s)
{
    wave_lattice l = make_lattice(dimensions, s.kernel);
    double factors[MODES_MAX] = {0}, worst = 0.0, highest = -INFINITY, known[2] = {0};
    uint32_t seen = 0;
    for (; l.first < l.mode_count; l.first += WAVES_PER_RUN) {
        l.last = l.first + WAVES_PER_RUN < l.mode_count ? l.first + WAVES_PER_RUN : l.mode_count;
        measure(v, &l, s, factors);
    }
    for (uint32_t m = 0; m < l.mode_count; ++m) {
        theory t = factor_of(&l, m, s.omega, s.epsilon);
        vector3 k = wave_vector(&l, m);
        /* too weak in the density for a measurement of its factor */
        if (t.visible < 0.05) continue;
        ++seen;
        worst = fmax(worst, fabs(factors[m] - t.factor));
        highest = fmax(highest, t.factor);
        validate_add_line(v, "%u,%s,%g,%g,%u,%u,%u,%.6g,%.6f,%.6f", dimensions, s.kernel, s.omega,
                          s.epsilon, l.modes[m][0], l.modes[m][1], l.modes[m][2],
                          sqrt(dot(k, k)) * D, t.factor, factors[m]);
        bool plain = l.modes[m][0] == 0 && l.modes[m][1] == 0;
        if (plain && l.modes[m][2] == 1) known[0] = factors[m];
        if (plain && l.modes[m][2] == 3) known[1] = factors[m];
    }
    validate_at_most(
        v, worst, 1e-3,
        "%u-D, omega %g, epsilon %g%s: amplification factor, maximum error of %u waves", dimensions,
        s.omega, s.epsilon, s.label, seen);
    if (!is_kernel(&l, "poly6")) /* one kernel for densities and corrections */
        validate_at_most(v, highest, 1.0 + 1e-9,
                         "%u-D%s: largest theoretical amplification factor (waves grow above 1)",
                         dimensions, s.label);
    if (dimensions == 3 && s.omega == 1.0 && is_kernel(&l, "poly6")) {
        validate_within(v, known[0], (validate_range){0.31821, 1e-3},
                        "3-D, omega 1, epsilon 0: amplification factor of the longest wave, 12 d");
        validate_within(v, known[1], (validate_range){-1.72716, 1e-3},
                        "3-D, omega 1, epsilon 0: amplification factor of the wave of 4 d");
    }
}

void validate_density_wave(validate *v)
{
    validate_add_line(v, "dimensions,kernel,omega,epsilon,mx,my,mz,kd,theory,measured");
    check_factors(v, 3, (wave_setting){1.0, 0.0, "poly6", ""});
    check_factors(v, 3, (wave_setting){0.65, 0.5, "poly6", ""});
    check_factors(v, 2, (wave_setting){1.0, 0.0, "poly6", ""});
    check_factors(v, 3, (wave_setting){0.7, 0.0, "wendland", ", Wendland"});
    check_factors(v, 2, (wave_setting){0.7, 0.0, "wendland", ", Wendland"});
    validate_write_table(v, "response");
}
