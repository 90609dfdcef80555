#include "cells_support.h"

uint32_t read_cells(const sim_world *world, struct sim_params *params, struct sim_status *status,
                    struct poisson_state *solve, uvec4 *n)
{
    struct grid_state state;
    struct poisson_params multigrid;
    gpu_device *device = world->device;
    OK(gpu_buffer_download(device, world->buffers.params, 0, params, sizeof *params));
    OK(gpu_buffer_download(device, world->buffers.status, 0, status, sizeof *status));
    OK(gpu_buffer_download(device, grid_state_buffer(world->grid), 0, &state, sizeof state));
    OK(gpu_buffer_download(device, poisson_get_buffers(world->pressure_grid)->multigrid, 0,
                           &multigrid, sizeof multigrid));
    OK(gpu_buffer_download(device, poisson_get_buffers(world->pressure_grid)->solve, 0, solve,
                           sizeof *solve));
    assert_int_equal(state.flags, 0);
    *n = multigrid.cells[0];
    return state.live;
}

float float_of(uint32_t bits)
{
    float value;
    memcpy(&value, &bits, 4);
    return value;
}
