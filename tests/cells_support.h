/* Reads the MAC cells of a simulation: those of its Poisson solver. */
#ifndef WEIR_TESTS_CELLS_SUPPORT_H
#define WEIR_TESTS_CELLS_SUPPORT_H

#include "poisson.h"
#include "sim_support.h"

#include "shared/poisson.h"

/* Reads the parameters and states of a substep whose blocks have been listed; `n` receives the
 * number of cells along each axis. Returns the number of live particles. Fails when a flag is
 * set. */
static inline uint32_t read_cells(const sim_world *world, struct sim_params *params,
                                  struct sim_status *status, struct poisson_state *solve, uvec4 *n)
{
    struct grid_state state;
    struct poisson_params multigrid;
    gpu_device *device = world->device;
    OK(gpu_buffer_download(device, world->buffers.params, 0, params, sizeof *params));
    OK(gpu_buffer_download(device, world->buffers.status, 0, status, sizeof *status));
    OK(gpu_buffer_download(device, grid_state_buffer(world->grid), 0, &state, sizeof state));
    OK(gpu_buffer_download(device, poisson_params_buffer(world->pressure_grid), 0, &multigrid,
                           sizeof multigrid));
    OK(gpu_buffer_download(device, poisson_state_buffer(world->pressure_grid), 0, solve,
                           sizeof *solve));
    assert_int_equal(state.flags, 0);
    *n = multigrid.cells[0];
    return state.live;
}

#endif
