/* One substep in double precision from the scene's numbers and the equations of the paper (Macklin
 * and Mueller 2013). It shares no code with the shaders and no tables that feed them. */
#ifndef WEIR_TESTS_REF_SUBSTEP_H
#define WEIR_TESTS_REF_SUBSTEP_H

#include "base.h"

typedef struct ref_fluid {
    double density; /* kg/m3 */
    double xsph;    /* c of equation 17 */
} ref_fluid;

/* SI units; coefficients as in the scene. */
typedef struct ref_scene {
    double spacing, support, dt, gravity[3], centre[3], pull, min[3], max[3];
    bool periodic[3]; /* the other axes are closed */
    bool planar;      /* no motion along z, whose sides are ignored */
    /* uses Wendland C2 for density and corrections, instead of poly6 and the spiky gradient */
    bool wendland;
    double lattice_density_ratio; /* density of the initial lattice over the rest density */
    uint32_t iterations;
    /* mean density error at which the iterations end, after two at least; 0: runs all iterations */
    double tolerance;
    double relaxation, epsilon, pressure, artificial_pressure_distance, vorticity, reference_dt,
        boundary_gap, chebyshev;
    double artificial_pressure_cutoff; /* in spacings */
    uint32_t artificial_pressure_exponent;
    bool allow_negative_pressure, wall_density, scale_artificial_pressure, pcisph, wcsph;
    double sound_speed, artificial_viscosity; /* WCSPH only */
    ref_fluid fluids[2];
    uint32_t fluid_count;
} ref_scene;

typedef struct ref_particle {
    double x[3], v[3];
    uint32_t fluid;
} ref_particle;

/* Runs one substep. Returns the number of iterations; 0 when memory is short. */
uint32_t ref_substep(const ref_scene *scene, ref_particle *particles, uint32_t count);

/* Computes lattice constants of the poly6 density and spiky gradient pair at h = support d: S0 of
 * equation 2 on a cubic lattice, and D h^2, the rest value of the sum in equation 8. */
void ref_lattice(double support, double *s0, double *stiffness);
/* Computes the same constants on a square lattice in the plane. */
void ref_planar_lattice(double support, double *s0, double *stiffness);

/* Kernels of radius h: value, 1/m3, and derivative of the spiky kernel, 1/m4. */
double ref_poly6(double r, double h);
double ref_spiky_slope(double r, double h);
/* Planar kernels: value, 1/m2, and derivative, 1/m3. */
double ref_planar_poly6(double r, double h);
double ref_planar_spiky_slope(double r, double h);

#endif
