/* Reference of bodies on the MAC grid, on the CPU. Bodies are balls; the equations are in the
 * shaders. */
#ifndef WEIR_TESTS_REF_FLIP_BODY_H
#define WEIR_TESTS_REF_FLIP_BODY_H

#include "ref_body.h"
#include "ref_flip.h"

#include "shared/poisson.h"

/* The open fractions that bodies leave of a cell, and its coupling to the nearest body; `tied` is 1
 * + the index of the body, 0 without one. */
typedef struct ref_cut {
    double low[3], high[3], share;
    double tie[3], turn[3];
    uint32_t tied;
} ref_cut;
ref_cut ref_flip_cut(const ref_bodies *b, const int at[3]);

/* Returns the centre of a cell; for an axis from 0 to 2, the centre of its lower face. */
vec3 ref_flip_middle(const struct sim_params *p, const int at[3], int axis);
/* Returns the velocity of a body's point at p, m/s. */
vec3 ref_body_velocity_at(const ref_bodies *b, uint32_t body, vec3 p);
struct poisson_rigid ref_flip_weigh(const ref_bodies *b, uint32_t body);
/* Adds the impulse that the pressure of a cell, m2/s, exerts on the body coupled to it. */
void ref_flip_press(const ref_bodies *b, const int at[3], double pressure, ref_impulse *sums);
/* Returns the position that flip_project_out_of_bodies.comp gives a particle, and updates its
 * velocity. */
vec3 ref_flip_meet(const ref_bodies *b, vec3 p, vec3 *velocity, ref_impulse *sums);

#endif
