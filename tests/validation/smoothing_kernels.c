/* G0: the kernels as computed on the device. The two particles of each pair are 0 to h apart,
   and pairs are out of each other's range. One particle adds V W(r) to the density of the other.
   With negative pressure kept, the correction of both gives V |grad W| of the spiky kernel. */
#include "validate_internal.h"

#define PI 3.14159265358979323846
#define PAIRS 200u
#define D 0.05
#define H (2.0 * D)
#define STEP_S (1.0 / 240.0)
#define OMEGA 0.05
#define EPSILON 0.01

/* Distances are the midpoints of PAIRS equal intervals of h, so that sums over them are
   integrals. */
static double distance_of(uint32_t pair)
{
    return (pair + 0.5) / PAIRS * H;
}

/* A density kernel. */
typedef struct kernel_case {
    const char *name, *kernel;
    uint32_t dimensions;
    bool corrections_follow; /* corrections use its slope */
    double rest;             /* so low that a coincident pair does not exceed rest density */
} kernel_case;

static void write_pairs(validate *v, uint32_t dimensions)
{
    const uint32_t n = dimensions == 3 ? 6 : 15; /* pairs along an axis */
    const double cell = 2.2 * H;
    for (uint32_t k = 0; k <= PAIRS; ++k) { /* the last particle has no partner */
        uint32_t row = k / n, layer = row / n;
        double x = (k % n + 0.5 - 0.5 * n) * cell, y = (row % n + 0.5 - 0.5 * n) * cell;
        double z = dimensions == 3 ? (layer + 0.5 - 0.5 * n) * cell : 0.0;
        double r = k < PAIRS ? distance_of(k) : 0.0;
        double start = fmax(r, 0.6 * D); /* a fill keeps particles half a spacing apart */
        double speed = k < PAIRS ? 0.5 * (r - start) / STEP_S : 0.0;
        vec3 at = {(float)(x + 0.5 * start), (float)y, (float)z};
        validate_add_point(v, at, vec3_make((float)speed, 0, 0));
        if (k == PAIRS) break;
        at.x = (float)(x - 0.5 * start);
        validate_add_point(v, at, vec3_make((float)-speed, 0, 0));
    }
    validate_write_points(v, "kernels");
}

static validate_world *run_pairs(validate *v, const kernel_case *kernel, bool negative)
{
    uint32_t dimensions = kernel->dimensions;
    double size = 1.1 * H * (dimensions == 3 ? 6 : 15) + H, deep = dimensions == 3 ? size : 0.1;
    char *json = base_format(
        "{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 240,"
        " 'domain': {'min': [%g, %g, %g], 'max': [%g, %g, %g]},"
        " 'solver': {'pre_stabilization': 0, 'dimensions': %u, 'kernel': '%s', 'support_radius': "
        "2, "
        "'lattice_density_ratio': "
        "%g, 'substeps': 1,"
        " 'iterations': 1, 'relaxation': %g, 'constraint_softening': %g, 'artificial_pressure': 0,"
        " 'allow_negative_pressure': %s, 'max_correction': 1, 'max_speed': 10},"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'file': 'kernels.npy'}}]}",
        D, -size, -size, -deep, size, size, deep, dimensions, kernel->kernel, kernel->rest, OMEGA,
        EPSILON, negative ? "true" : "false");
    return validate_open_run(v, json, 1);
}

/* Returns the lattice's V from the particles' mass, which follows from the kinetic energy. */
static double volume_of(const validate_world *world)
{
    double squares = 0.0;
    for (uint32_t i = 0; i < world->count; ++i)
        squares += (double)vec3_dot(world->v[i], world->v[i]);
    return 2.0 * world->stats.kinetic_energy_j / squares / 1000.0;
}

/* V W(r) of each pair, and V W(0). */
typedef struct samples {
    double own, pair[PAIRS];
} samples;

static samples sample_density(const validate_world *world)
{
    samples s = {.own = (double)world->density[2 * PAIRS] / 1000.0};
    for (uint32_t k = 0; k < PAIRS; ++k)
        s.pair[k] = (double)world->density[2 * k] / 1000.0 - s.own;
    return s;
}

/* Returns the volume, in 2-D the area, of the shell at distance r whose thickness is one
   interval of h. */
static double shell_volume(uint32_t dimensions, double r)
{
    return (dimensions == 3 ? 4.0 * PI * r * r : 2.0 * PI * r) * H / PAIRS;
}

static double pair_approach(const validate_world *world, uint32_t k)
{
    vec3 offset = vec3_sub(world->x[2 * k], world->x[2 * k + 1]);
    return 0.5 * (distance_of(k) - (double)offset.x);
}

/* Both particles move by 2 omega |C| g / (2 g^2 + epsilon), which is largest where 2 g^2 = epsilon.
 * At smaller distances the gradient g is the larger root, at greater distances the smaller root. */
static double gradient_integral(const validate_world *world, const samples *s, uint32_t dimensions)
{
    double sum = 0.0, epsilon = EPSILON / (H * H);
    uint32_t farthest = 0;
    for (uint32_t k = 0; k < PAIRS; ++k)
        if (pair_approach(world, k) > pair_approach(world, farthest)) farthest = k;
    for (uint32_t k = 0; k < PAIRS; ++k) {
        double c = OMEGA * (1.0 - s->own - s->pair[k]), moved = pair_approach(world, k);
        double root = sqrt(fmax(c * c - 2.0 * epsilon * moved * moved, 0.0));
        double g = moved > 0.0 ? (k < farthest ? c + root : c - root) / (2.0 * moved) : 0.0;
        sum += shell_volume(dimensions, distance_of(k)) * distance_of(k) * g;
    }
    return sum;
}

static const kernel_case kernel_cases[] = {
    {"3-D", "poly6", 3, false, 1.0},
    {"2-D", "poly6", 2, false, 1.0},
    {"3-D, Wendland", "wendland", 3, true, 1.0},
    {"2-D, Wendland", "wendland", 2, true, 0.9},
};

/* With the slope g both particles move by 2 omega |C| g / (2 g^2 + epsilon). Returns the largest
   deviation. */
static double worst_approach(const kernel_case *kernel, const validate_world *pulled,
                             const samples *s, double volume)
{
    double worst = 0.0;
    for (uint32_t k = 0; k < PAIRS; ++k) {
        double g =
            volume * validate_kernel_slope(kernel->kernel, kernel->dimensions, H, distance_of(k));
        double c = OMEGA * (1.0 - s->own - s->pair[k]);
        double expected = 2.0 * c * g / (2.0 * g * g + EPSILON / (H * H));
        worst = fmax(worst, fabs(pair_approach(pulled, k) - expected));
    }
    return worst;
}

/* of the differences, in samples: a shorter stride shows the rounding of the densities */
#define STRIDE 5u

/* Returns the largest difference in slope between the device's W and the closed form that
   corrections are compared with, over the largest slope, by fourth-order differences. */
static double worst_slope(const kernel_case *kernel, const samples *s, double volume)
{
    double worst = 0.0, most = 0.0;
    for (uint32_t k = 2 * STRIDE; k + 2 * STRIDE < PAIRS; ++k) {
        double near = s->pair[k + STRIDE] - s->pair[k - STRIDE];
        double far = s->pair[k + 2 * STRIDE] - s->pair[k - 2 * STRIDE];
        double slope = (far - 8.0 * near) / (12.0 * STRIDE) * PAIRS / H;
        double expected =
            validate_kernel_slope(kernel->kernel, kernel->dimensions, H, distance_of(k));
        worst = fmax(worst, fabs(slope - volume * expected));
        most = fmax(most, volume * expected);
    }
    return worst / most;
}

static void check_kernel(validate *v, const kernel_case *kernel, const validate_world *rest,
                         const validate_world *pulled)
{
    uint32_t dimensions = kernel->dimensions;
    samples s = sample_density(rest);
    double volume = kernel->rest * volume_of(rest), sum = 0.0, worst = 0.0;
    for (uint32_t k = 0; k < PAIRS; ++k) {
        double r = distance_of(k);
        double expected = volume * validate_kernel_value(kernel->kernel, dimensions, H, r);
        sum += shell_volume(dimensions, r) * s.pair[k];
        worst = fmax(worst, fabs(s.pair[k] - expected));
    }
    /* The midpoint rule has an error of its step squared / 24 times the slope at 0, 2 pi W(0). */
    if (dimensions == 2) sum -= H * H / (PAIRS * PAIRS) / 24.0 * 2.0 * PI * s.own;
    validate_within(v, sum / volume, (validate_range){1.0, 1e-6}, "%s: integral of W",
                    kernel->name);
    validate_at_most(v, worst / s.own, 1e-5,
                     "%s: W(r), maximum error against the %s formula, relative to W(0)",
                     kernel->name, kernel->kernel);
    if (kernel->corrections_follow) {
        validate_at_most(
            v, worst_slope(kernel, &s, volume), 1e-4,
            "%s: finite differences of W, error against dW/dr, relative to the largest slope",
            kernel->name);
        validate_at_most(v, worst_approach(kernel, pulled, &s, volume) / H, 1e-5,
                         "%s: correction of a pair, maximum error against the closed form, h",
                         kernel->name);
    } else {
        validate_within(v, -gradient_integral(pulled, &s, dimensions) / volume,
                        (validate_range){-(double)dimensions, 3e-3},
                        "%s: integral of r dW/dr, spiky kernel", kernel->name);
    }
}

/* ---- walls ---------------------------------------------------------------------------------- */

/* Particles from h/4 to h above the floor in equal steps, out of each other's range. */
#define LONE_PARTICLES 16u
#define FLOOR (-1.2)

static double height_of(uint32_t i)
{
    return H * (0.25 + 0.75 * (i + 0.5) / LONE_PARTICLES);
}

/* Closed forms of the kernels' integrals over the half space behind a wall at distance q h: the
   fraction of the density, and h times the size of its gradient for the spiky kernel. */
static double boundary_fraction(double q)
{
    double odd = q * q * q / 3 - 3 * pow(q, 5) / 5 + 3 * pow(q, 7) / 7 - pow(q, 9) / 9;
    return 0.5 - 315.0 / 32.0 * odd - 315.0 / 256.0 * q * pow(1 - q * q, 4);
}

static double boundary_slope(double q)
{
    return 1.5 * pow(1 - q, 4) * (1 + 4 * q);
}

static double boundary_fraction_planar(double q)
{
    double s2 = 1 - q * q, s = sqrt(s2);
    double terms = 1 + s2 * (2.0 / 3 + s2 * (8.0 / 15 + s2 * 16.0 / 35));
    return 0.5 - (asin(q) + q * s * terms) / PI;
}

/* Returns int_s 10 / pi (1 - sqrt(q^2 + s^2))^3 ds along the line of the wall. */
static double boundary_slope_planar(double q)
{
    double s = sqrt(1 - q * q);
    double slope = s * (0.25 + 1.625 * q * q) - q * q * log((1 + s) / q) * (1.5 + 0.375 * q * q);
    return 20.0 / PI * slope;
}

static double wendland_fraction(double q)
{
    return pow(1 - q, 6) * (0.5 + 1.5 * q + 1.5 * q * q);
}

static double wendland_slope(double q)
{
    return pow(1 - q, 5) * (1.5 + 7.5 * q + 12 * q * q);
}

/* In the plane the result has logarithms, from the integrals of r^2 to r^5 over chords. */
static double wendland_fraction_planar(double q)
{
    double s = sqrt(1 - q * q), q2 = q * q, chord = log((1 + s) / q);
    double even = q * s * (-11.0 / 42 + q2 * (5.0 / 7 + q2 * 97.0 / 84));
    return 14.0 / PI * (acos(q) / 14 + even - q2 * q2 * q * chord * (1.5 + 1.25 / 7 * q2));
}

static double wendland_slope_planar(double q)
{
    double s = sqrt(1 - q * q), q2 = q * q, chord = log((1 + s) / q);
    return 14.0 / PI *
           (s * (1.0 / 3 - q2 * (7.0 / 3 + 6.75 * q2)) + q2 * q2 * chord * (7.5 + 1.25 * q2));
}

typedef struct boundary_form {
    const char *name, *kernel;
    uint32_t dimensions;
    double (*fraction)(double q), (*slope)(double q);
    double lattice; /* fraction of the rest lattice's sum that lies below a layer; 0: no shift */
} boundary_form;

static const boundary_form boundary_forms[] = {
    {"3-D", "poly6", 3, boundary_fraction, boundary_slope, 0},
    {"2-D", "poly6", 2, boundary_fraction_planar, boundary_slope_planar, 0},
    {"3-D, Wendland", "wendland", 3, wendland_fraction, wendland_slope, 0.123636599700},
    {"2-D, Wendland", "wendland", 2, wendland_fraction_planar, wendland_slope_planar,
     0.130911794278},
};

/* Returns how far behind a wall its density begins, in h, so that the first layer of the
   lattice, h/4 off the wall, has the density of the interior. Uses bisection. */
static double boundary_shift(const boundary_form *form)
{
    if (form->lattice <= 0.0) return 0.0;
    double low = -0.25, high = 0.75;
    for (int k = 0; k < 50; ++k) {
        double middle = 0.5 * (low + high);
        *(form->fraction(0.25 + middle) > form->lattice ? &low : &high) = middle;
    }
    return low;
}

/* Returns the fraction at a distance of q h. */
static double density_fraction_at(const boundary_form *form, double shift, double q)
{
    return q + shift < 1.0 ? form->fraction(q + shift) : 0.0;
}

static void write_lone(validate *v)
{
    for (uint32_t i = 0; i < LONE_PARTICLES; ++i)
        validate_add_point(v,
                           vec3_make((float)(0.25 * i - 1.875), (float)(FLOOR + height_of(i)), 0),
                           vec3_make(0, 0, 0));
    validate_write_points(v, "kernels");
}

static validate_world *run_lone(validate *v, const boundary_form *form, bool negative)
{
    char *json = base_format(
        "{'spacing': %g, 'gravity': [0, 0, 0], 'frame_rate': 240,"
        " 'domain': {'min': [-2.4, %g, -1.2], 'max': [2.4, 1.2, 1.2]},"
        " 'solver': {'pre_stabilization': 0, 'dimensions': %u, 'kernel': '%s', 'support_radius': "
        "2, "
        "'lattice_density_ratio': "
        "1, 'substeps': 1,"
        " 'iterations': 1, 'relaxation': 0.05, 'constraint_softening': 1, 'artificial_pressure': 0,"
        " 'allow_negative_pressure': %s,"
        " 'max_correction': 1, 'boundary_gap': 0.1},"
        " 'fluids': [{'name': 'water', 'xsph': 0, 'fill': {'file': 'kernels.npy'}}]}",
        D, FLOOR, form->dimensions, form->kernel, negative ? "true" : "false");
    return validate_open_run(v, json, 1);
}

/* A lone particle with negative pressure kept moves by omega C g / (g^2 + epsilon), where g is
   the wall's gradient; g^2 is included only with Wendland's kernel. */
static void check_boundary(validate *v, const boundary_form *form)
{
    double density = 0.0, worst = 0.0;
    validate_world *rest = run_lone(v, form, false);
    validate_world *pulled = run_lone(v, form, true);
    /* V W(0) is the density of a particle out of the wall's range. */
    double shift = boundary_shift(form);
    double own = (double)rest->density[LONE_PARTICLES - 1] / 1000.0 -
                 density_fraction_at(form, shift, height_of(LONE_PARTICLES - 1) / H);
    for (uint32_t i = 0; i < LONE_PARTICLES; ++i) {
        double q = height_of(i) / H, full = own + density_fraction_at(form, shift, q);
        density = fmax(density, fabs((double)rest->density[i] / 1000.0 - full));
        double slope = form->slope(q);
        double squares = form->lattice > 0.0 ? slope * slope : 0.0;
        double expected = 0.05 * (1.0 - full) * slope * H / (squares + 1.0);
        double moved = FLOOR + height_of(i) - (double)pulled->x[i].y;
        worst = fmax(worst, fabs(moved - expected) / H);
    }
    validate_at_most(v, density, 1e-5, "%s: boundary density, error against the closed form",
                     form->name);
    validate_at_most(v, worst, 1e-5, "%s: boundary correction, error against the closed form, h",
                     form->name);
    validate_close(rest);
    validate_close(pulled);
}

void validate_kernels(validate *v)
{
    for (size_t i = 0; i < BASE_COUNT(kernel_cases); ++i) {
        write_pairs(v, kernel_cases[i].dimensions);
        validate_world *rest = run_pairs(v, &kernel_cases[i], false);
        validate_world *pulled = run_pairs(v, &kernel_cases[i], true);
        check_kernel(v, &kernel_cases[i], rest, pulled);
        validate_close(rest);
        validate_close(pulled);
    }
    write_lone(v);
    for (size_t i = 0; i < BASE_COUNT(boundary_forms); ++i)
        check_boundary(v, &boundary_forms[i]);
}
