/* Reference of viscosity in double precision, from the scene's numbers and the formulas of
 * docs/equations.md: it visits every pair and integrates walls over the half space behind them. It
 * shares neither lists nor closed forms with the shaders. */
#ifndef WEIR_TESTS_REF_VISCOUS_H
#define WEIR_TESTS_REF_VISCOUS_H

#include "ref_pbf.h"

typedef struct ref_viscous_fluid {
    double density, viscosity; /* kg/m3, Pa s */
} ref_viscous_fluid;

/* A ball to which fluid sticks, and the sum of its drag on all particles. */
typedef struct ref_viscous_body {
    double centre[3], radius_m, velocity[3], rate[3]; /* m, m/s, rad/s */
    /* dt times its loss of force over the volume of a particle, kg/(m2 s) */
    double force[3], moment[3];
} ref_viscous_body;

typedef struct ref_viscous {
    const struct sim_params *params; /* domain, periods and position units */
    const ref_ball *balls;
    const bool *ball_sticks;
    bool sides_stick;
    ref_viscous_fluid fluids[2];
    double spacing, support, dt;
    uint32_t count;
    const ivec4 *positions, *starts; /* [count]; the w of starts is the fluid */
    /* [params->solid_count], of which force and moment are outputs; may be NULL */
    ref_viscous_body *solids;
    ref_viscous_body *bodies; /* [body_count] */
    uint32_t body_count;
} ref_viscous;

/* Computes out = rho v + dt (K v - K_w v_w), kg/(m2 s), [count][3]: K contains pairs, walls and
 * bodies; K_w v_w bodies, and walls where they move. `diagonal` [count] receives the mean diagonal
 * of this matrix; it may be NULL. */
void ref_viscous_apply(const ref_viscous *r, bool walls_move, const double (*v)[3],
                       double (*out)[3], double *diagonal);

#endif
