/* Reads the MAC cells of a simulation: those of its Poisson solver. */
#ifndef WEIR_TESTS_CELLS_SUPPORT_H
#define WEIR_TESTS_CELLS_SUPPORT_H

#include "poisson.h"
#include "sim_support.h"

#include "shared/poisson.h"

/* Reads the parameters and states of a substep whose blocks have been listed; `n` receives the
 * number of cells along each axis. Returns the number of live particles. Fails when a flag is
 * set. */
uint32_t read_cells(const sim_world *world, struct sim_params *params, struct sim_status *status,
                    struct poisson_state *solve, uvec4 *n);

float float_of(uint32_t bits);

#endif
