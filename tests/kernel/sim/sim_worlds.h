/* Five simulations for the tests of single passes: one with all features, one of a single fluid in
 * a closed box, one in the plane, the same with one kernel, and the fluids and walls of the first
 * solved by PCISPH with one kernel. */
#ifndef WEIR_TESTS_SIM_WORLDS_H
#define WEIR_TESTS_SIM_WORLDS_H

#include "sim_pass_fixture.h"

/* Tolerances for float32 sums of about thirty terms; d is the spacing, T the substep. */
#define POSITION_TOLERANCE 1.5e-5f /* d */
#define VELOCITY_TOLERANCE 2e-5f   /* d / T */
#define CONSTRAINT_TOLERANCE 1e-5f /* of the rest density */
#define MANY 1500u
#define LARGE 100000u

/* EVERYTHING runs with validation, PLAIN without, so that it can be large. */
enum { EVERYTHING, PLAIN, PLANAR, PAIR, PAIR_PLANAR, PCISPH, WORLDS };

extern sim_world *sim_worlds[WORLDS];

int open_sim_worlds(void **state);
int close_sim_worlds(void **state);

/* Runs a check at every size in every world of Position Based Fluids. */
void at_every_size(void (*check)(stage *s, sim_world *world, uint32_t count));

#endif
