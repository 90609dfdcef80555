/* Viscosity in double precision, from the scene's numbers and the formulas of docs/equations.md:
 * every pair is looked at, and walls are integrated over the half space behind them. It shares
 * neither lists nor closed forms with the shaders. */
#ifndef WEIR_TESTS_REF_VISCOUS_H
#define WEIR_TESTS_REF_VISCOUS_H

#include "ref_pbf.h"

typedef struct ref_viscous_fluid {
    double density, viscosity; /* kg/m3, Pa s */
} ref_viscous_fluid;

/* A ball that sticks to the fluid, and what its drag on all particles sums up to. */
typedef struct ref_viscous_body {
    double centre[3], radius_m, velocity[3], rate[3]; /* m, m/s, rad/s */
    double force[3], moment[3]; /* dt times what it loses over a particle's volume, kg/(m2 s) */
} ref_viscous_body;

typedef struct ref_viscous {
    const struct sim_params *params; /* box, periods and where particles are */
    const ref_ball *balls;
    const bool *ball_sticks;
    bool sides_stick;
    ref_viscous_fluid fluids[2];
    double spacing, support, dt;
    uint32_t count;
    const ivec4 *positions, *starts; /* [count]; starts have the fluid in w */
    ref_viscous_body *solids;        /* [params->solid_count], of which force and moment are
                                        written; NULL: not wanted */
    ref_viscous_body *bodies;        /* [body_count] */
    uint32_t body_count;
} ref_viscous;

/* out = rho v + dt (K v - K_w v_w), kg/(m2 s), [count][3]: K of pairs, walls and bodies, K_w v_w of
 * bodies, and of walls when they move, and the mean of the diagonal of this matrix, [count]; NULL:
 * not wanted. */
void ref_viscous_apply(const ref_viscous *r, bool walls_move, const double (*v)[3],
                       double (*out)[3], double *diagonal);

#endif
