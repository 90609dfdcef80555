/* Bodies on the MAC grid, on the CPU; bodies are balls. Equations: the shaders' own headers. */
#ifndef WEIR_TESTS_REF_FLIP_BODY_H
#define WEIR_TESTS_REF_FLIP_BODY_H

#include "ref_body.h"
#include "ref_flip.h"

#include "shared/poisson.h"

/* What bodies leave open of a cell, and its tie to the nearest: 1 + the body, 0 none. */
typedef struct ref_cut {
    double low[3], high[3], share;
    double tie[3], turn[3];
    uint32_t tied;
} ref_cut;
ref_cut ref_flip_cut(const ref_bodies *b, const int at[3]);

/* The middle of a cell; with an axis from 0 to 2 that of its lower face. */
vec3 ref_flip_middle(const struct sim_params *p, const int at[3], int axis);
/* The velocity of a body's point at p, m/s. */
vec3 ref_body_velocity_at(const ref_bodies *b, uint32_t body, vec3 p);
struct poisson_rigid ref_flip_weigh(const ref_bodies *b, uint32_t body);
/* Adds what the pressure of a cell, m2/s, gives the body that it is tied to. */
void ref_flip_press(const ref_bodies *b, const int at[3], double pressure, ref_impulse *sums);
/* Where flip_body_project.comp puts a particle, whose velocity it changes. */
vec3 ref_flip_meet(const ref_bodies *b, vec3 p, vec3 *velocity, ref_impulse *sums);

#endif
