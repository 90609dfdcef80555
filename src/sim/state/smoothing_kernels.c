/* Smoothing kernels of densities and corrections, and quantities that follow from them on the rest
 * lattice: sums, the gain of the Jacobi iteration, and the density at which a settled fluid
 * rests. */
#include "sim_state.h"

/* ---- kernels with support 1 in two or three dimensions --------------------------------------- */

/* Mueller, Charypar and Gross 2003, equations 20 and 21, and Wendland 1995; in two dimensions
 * normalized over the disc. */
static double poly6_factor(uint32_t dimensions)
{
    return dimensions == 2 ? 4.0 / SIM_PI : 315.0 / (64.0 * SIM_PI);
}

static double spiky_factor(uint32_t dimensions)
{
    return dimensions == 2 ? 10.0 / SIM_PI : 15.0 / SIM_PI;
}

static double wendland_factor(uint32_t dimensions)
{
    return dimensions == 2 ? 7.0 / SIM_PI : 21.0 / (2.0 * SIM_PI);
}

sim_smoothing_value sim_smoothing_kernel_at(scene_kernel kernel, uint32_t dimensions, double q)
{
    double g = q < 1.0 ? 1.0 - q : 0.0, t = q < 1.0 ? 1.0 - q * q : 0.0;
    double poly6 = poly6_factor(dimensions), wendland = wendland_factor(dimensions);
    if (kernel == SCENE_KERNEL_POLY6)
        return (sim_smoothing_value){.value = poly6 * t * t * t,
                                     .slope = -6.0 * q * poly6 * t * t,
                                     .correction = -3.0 * spiky_factor(dimensions) * g * g};
    double slope = -20.0 * wendland * q * g * g * g;
    return (sim_smoothing_value){wendland * g * g * g * g * (1.0 + 4.0 * q), slope, slope};
}

double sim_kernel_slope_factor(scene_kernel kernel, uint32_t dimensions)
{
    return kernel == SCENE_KERNEL_WENDLAND ? 20.0 * wendland_factor(dimensions)
                                           : 3.0 * spiky_factor(dimensions);
}

/* ---- the rest lattice ------------------------------------------------------------------------ */

void sim_lattice_sums(const scene_solver *solver, double *s0, double *stiffness)
{
    uint32_t dimensions = solver->dimensions;
    double support = (double)solver->support_radius;
    int reach = (int)ceil(support), depth = dimensions == 2 ? 0 : reach;
    double sum = 0.0, squares = 0.0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double q = sqrt((double)(x * x + y * y + z * z)) / support;
                sim_smoothing_value at = sim_smoothing_kernel_at(solver->kernel, dimensions, q);
                sum += at.value;
                if (q > 0.0) squares += at.correction * at.correction;
            }
    /* of a particle, in units of h^3 or h^2 */
    double volume = pow(support, -(double)dimensions);
    *s0 = volume * sum;
    *stiffness = volume * volume / (*s0 * *s0) * squares;
}

/* Returns the gain of a Jacobi iteration for the lattice wave k: Lambda(k) = V^2 gP(k) . gS(k) / D
 * with gX(k) = sum over the lattice of X'(r) r / |r| sin(k . r), where P is the density kernel and
 * S the correction kernel. The gain is largest at some k in [0, pi / d]^3. */
static double jacobi_gain(const scene_solver *solver, const double k[3])
{
    const uint32_t dimensions = solver->dimensions;
    const double support = (double)solver->support_radius;
    int reach = (int)ceil(support), depth = dimensions == 2 ? 0 : reach;
    double p[3] = {0}, s[3] = {0}, squares = 0.0;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double r = sqrt((double)(x * x + y * y + z * z));
                if (r == 0.0 || r >= support) continue;
                sim_smoothing_value at =
                    sim_smoothing_kernel_at(solver->kernel, dimensions, r / support);
                double wave = sin(k[0] * x + k[1] * y + k[2] * z) / r;
                const double offset[3] = {x, y, z};
                for (int axis = 0; axis < 3; axis++) {
                    p[axis] += at.slope * offset[axis] * wave;
                    s[axis] += at.correction * offset[axis] * wave;
                }
                squares += at.correction * at.correction;
            }
    return squares > 0.0 ? (p[0] * s[0] + p[1] * s[1] + p[2] * s[2]) / squares : 0.0;
}

double sim_max_jacobi_gain(const scene_solver *solver)
{
    enum { STEPS = 16 };
    const double steps = STEPS;
    double max_gain = 0.0;
    for (int i = 0; i <= STEPS; i++)
        for (int j = 0; j <= i; j++)
            for (int l = 0; l <= (solver->dimensions == 2 ? 0 : j); l++) {
                const double k[3] = {SIM_PI * i / steps, SIM_PI * j / steps, SIM_PI * l / steps};
                max_gain = fmax(max_gain, jacobi_gain(solver, k));
            }
    return max_gain;
}

/* ---- walls ----------------------------------------------------------------------------------- */

/* Returns the fraction of a kernel behind a plane at distance q >= 0: its integral over the
 * half-space. */
static double kernel_fraction_behind(const scene_solver *solver, double q)
{
    enum { STEPS = 400 };
    double sum = 0.0;
    for (int k = 0; k < STEPS; k++) { /* cap of the sphere of radius r = q + (1 - q) u^2 */
        double u = (k + 0.5) / (double)STEPS, r = q + (1.0 - q) * u * u;
        double cap = solver->dimensions == 3 ? 2.0 * SIM_PI * r * (r - q) : 2.0 * r * acos(q / r);
        double value = sim_smoothing_kernel_at(solver->kernel, solver->dimensions, r).value;
        sum += 2.0 * (1.0 - q) * u * cap * value / (double)STEPS;
    }
    return sum;
}

/* Returns the fraction of the rest lattice's kernel sum at a site that comes from the half-space
 * half a spacing away. */
static double lattice_fraction_behind_wall(const scene_solver *solver)
{
    uint32_t dimensions = solver->dimensions;
    double support = (double)solver->support_radius, all = 0.0, behind = 0.0;
    int reach = (int)ceil(support), depth = dimensions == 2 ? 0 : reach;
    for (int z = -depth; z <= depth; z++)
        for (int y = -reach; y <= reach; y++)
            for (int x = -reach; x <= reach; x++) {
                double q = sqrt((double)(x * x + y * y + z * z)) / support;
                double value = sim_smoothing_kernel_at(solver->kernel, dimensions, q).value;
                all += value;
                if (y < 0) behind += value;
            }
    return behind / all;
}

double sim_boundary_shift(const scene_solver *solver)
{
    if (solver->kernel != SCENE_KERNEL_WENDLAND) return 0.0;
    double support = (double)solver->support_radius, wanted = lattice_fraction_behind_wall(solver);
    double low = -0.5, high = support - 0.5;
    for (int k = 0; k < 50; k++) {
        double middle = 0.5 * (low + high);
        bool dense = kernel_fraction_behind(solver, (0.5 + middle) / support) > wanted;
        *(dense ? &low : &high) = middle;
    }
    return 0.5 * (low + high);
}
