/* What the rows of the step compute, counted by hand in their shaders: an addition, a product, a
 * comparison and an inverse square root are one operation each. The profiler's rates rest on it. */
#include "sim_internal.h"

static const gpu_work works[SIM_KERNELS] = {
    [SIM_PREDICT] = {.flops = 20},
    [SIM_LAMBDA] = {.flops = 20, .pair_flops = 28, .pair_gathers = 16},
    [SIM_CORRECT] = {.flops = 30, .pair_flops = 32, .pair_gathers = 16},
    [SIM_PRESSURE] = {.flops = 12, .pair_flops = 15, .pair_gathers = 16},
    [SIM_PUSH] = {.flops = 25, .pair_flops = 22, .pair_gathers = 16},
    [SIM_VELOCITY] = {.flops = 15},
    [SIM_VORTICITY] = {.flops = 12, .pair_flops = 46, .pair_gathers = 32},
    [SIM_COMMIT] = {.flops = 30, .pair_flops = 23, .pair_gathers = 32},
    [SIM_DENSITY] = {.flops = 4, .pair_flops = 15, .pair_gathers = 16},
};

static void fill(const sim_world *world, gpu_row *rows, uint32_t count)
{
    for (uint32_t r = 0; r < count; r++)
        for (int k = 0; k < SIM_KERNELS; k++) {
            if (rows[r].kernel != world->kernels[k]) continue;
            rows[r].work = works[k];
            if (works[k].pair_flops == 0.0f) continue;
            rows[r].work.pairs = grid_lists(world->grid);
            rows[r].work.pair_bytes = grid_is_compact(world->grid) ? 2 : 4;
        }
}

void sim_works_fill(sim_world *world)
{
    fill(world, world->rows, world->row_count);
    fill(world, world->end_rows, world->end_row_count);
}
