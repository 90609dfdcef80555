/* One substep in double precision, from the scene's numbers and the paper's equations (Macklin
 * and Mueller 2013): it shares nothing with the shaders or with the tables that feed them. */
#ifndef WEIR_TESTS_REF_SUBSTEP_H
#define WEIR_TESTS_REF_SUBSTEP_H

#include "base.h"

typedef struct ref_fluid {
    double density; /* kg/m3 */
    double xsph;    /* c of equation 17 */
} ref_fluid;

/* In SI units; coefficients as the scene gives them. */
typedef struct ref_scene {
    double spacing, support, dt, gravity[3], centre[3], pull, min[3], max[3];
    bool periodic[3]; /* the other axes are closed */
    bool planar;      /* nothing moves along z, whose sides do not count */
    bool wendland;    /* for density and corrections, in place of poly6 and the spiky gradient */
    double lattice_density_ratio; /* of the lattice over that at rest */
    uint32_t iterations;
    double tolerance; /* mean density error that ends the iterations, two at least; 0: none */
    double relaxation, epsilon, pressure, artificial_pressure_distance, vorticity, reference_dt,
        boundary_gap, chebyshev;
    uint32_t artificial_pressure_exponent;
    bool allow_negative_pressure, wall_density, scale_artificial_pressure, pcisph, wcsph;
    double sound_speed, artificial_viscosity; /* of WCSPH */
    ref_fluid fluids[2];
    uint32_t fluid_count;
} ref_scene;

typedef struct ref_particle {
    double x[3], v[3];
    uint32_t fluid;
} ref_particle;

/* The iterations done; 0 when memory is short. */
uint32_t ref_substep(const ref_scene *scene, ref_particle *particles, uint32_t count);

/* Lattice constants of the poly6 density and spiky gradient pair at h = support d: S0 of equation 2
 * on a cubic lattice, and D h^2, the rest value of the sum in equation 8. */
void ref_lattice(double support, double *s0, double *stiffness);
/* The same on a square lattice in the plane. */
void ref_planar_lattice(double support, double *s0, double *stiffness);

/* Kernels of radius h, 1/m3 and 1/m4: value, and derivative of the spiky one. */
double ref_poly6(double r, double h);
double ref_spiky_slope(double r, double h);
/* In the plane, 1/m2 and 1/m3. */
double ref_planar_poly6(double r, double h);
double ref_planar_spiky_slope(double r, double h);

#endif
