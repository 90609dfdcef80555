/* Slices through the cells of the MAC grid, for pictures. Runs the next substep up to its pressure,
 * reads the grid, and restores the state. The grid of the last substep no longer exists, because
 * its later passes clear the cells. */
#include "sim_readout.h"
#include "sim_solvers.h"
#include "sim_world.h"

#include <float.h>

_Static_assert(SIM_SLICE_SPEED == WEIR_SLICE_SPEED, "weir_slice_quantity is the shader's");
_Static_assert(SIM_SLICE_PRESSURE == WEIR_SLICE_PRESSURE, "weir_slice_quantity is the shader's");

void sim_slice_free(weir_slice **slice)
{
    if (*slice) base_free((*slice)->values);
    base_free(*slice);
    *slice = NULL;
}

/* Lower corner, edge, both in m, and number of the cells along an axis. */
typedef struct cell_axis {
    float min, edge;
    uint32_t count;
} cell_axis;

static cell_axis get_cell_axis(const sim_world *world, uint32_t axis)
{
    const struct sim_params *p = &world->params;
    const float mins[3] = {p->domain_min.x, p->domain_min.y, p->domain_min.z};
    const float edges[3] = {p->cell_size.x, p->cell_size.y, p->cell_size.z};
    const int32_t counts[3] = {p->mac_cells.x, p->mac_cells.y, p->mac_cells.z};
    return (cell_axis){mins[axis], edges[axis], (uint32_t)counts[axis]};
}

static uint32_t find_layer(const cell_axis *axis, float position_m)
{
    float at = (position_m - axis->min) / axis->edge, last = (float)(axis->count - 1);
    return (uint32_t)fminf(fmaxf(floorf(at), 0.0f), last);
}

static weir_slice make_slice(const sim_world *world, weir_slice_quantity of, uint32_t axis,
                             float position)
{
    cell_axis across = get_cell_axis(world, axis);
    cell_axis columns = get_cell_axis(world, axis == 0 ? 1 : 0),
              rows = get_cell_axis(world, axis == 2 ? 1 : 2);
    float end = across.min + across.edge * (float)across.count;
    return (weir_slice){
        .quantity = of,
        .axis = axis,
        .position_m = fminf(fmaxf(position, across.min), end),
        .columns = columns.count,
        .rows = rows.count,
        .corner_m = {columns.min, rows.min},
        .cell_m = {columns.edge, rows.edge},
    };
}

typedef struct slice_job {
    weir_slice *slice;
    uint32_t flags; /* flags of grid_state; not 0: a buffer was too small */
} slice_job;

/* Work for sim_run_and_restore: reads the values of a slice. */
static weir_result read_slice(sim_world *world, void *user)
{
    weir_result result;
    slice_job *c = user;
    const weir_slice *slice = c->slice;
    struct grid_state state;
    gpu_buffer *values = NULL;
    uint64_t count = (uint64_t)slice->columns * slice->rows;
    cell_axis across = get_cell_axis(world, slice->axis);
    WEIR_ASSERT(SIM_NO_VALUE == WEIR_NO_VALUE);
    WEIR_GOTO_IF_ERROR(sim_require_pipeline(world, SIM_MAC_SLICE));
    WEIR_GOTO_IF_ERROR(sim_run_up_to_pass(world, sim_find_pass(world, SIM_FLIP_SUBTRACT_GRADIENT)));
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(world->device, grid_state_buffer(world->grid), 0, &state,
                                           sizeof state));
    c->flags = state.flags;
    WEIR_GOTO_IF_ERROR(sim_buffer_create(world, "slice", 4, count, &values));
    gpu_pass pass = sim_make_pass(world, SIM_MAC_SLICE,
                                  (gpu_dispatch_size){.name = "cells of a slice", .count = count});
    gpu_pass_bind(&pass, SIM_BIND_slice, values);
    pass.constant = slice->axis | (uint32_t)slice->quantity << SIM_SLICE_QUANTITY_SHIFT |
                    find_layer(&across, slice->position_m) << SIM_SLICE_LAYER_SHIFT;
    WEIR_GOTO_IF_ERROR(gpu_run_passes(world->device, &pass, 1));
    WEIR_GOTO_IF_ERROR(gpu_buffer_download(world->device, values, 0, slice->values, count * 4));
fail:
    gpu_buffer_destroy(world->device, &values);
    return result;
}

static void find_value_range(weir_slice *slice)
{
    slice->min_value = FLT_MAX;
    slice->max_value = -FLT_MAX;
    for (size_t i = 0; i < (size_t)slice->columns * slice->rows; i++) {
        if (slice->values[i] <= WEIR_NO_VALUE) continue;
        slice->min_value = fminf(slice->min_value, slice->values[i]);
        slice->max_value = fmaxf(slice->max_value, slice->values[i]);
    }
    if (slice->min_value > slice->max_value) slice->min_value = slice->max_value = 0.0f;
    if (slice->quantity == WEIR_SLICE_SPEED) slice->min_value = 0.0f;
}

weir_result sim_slice(sim_world *world, weir_slice_quantity of, uint32_t axis, float position_m,
                      weir_slice **out)
{
    weir_result result;
    *out = NULL;
    WEIR_RETURN_IF_ERROR(sim_wait(world));
    if (!scene_has_grid(&world->scene->solver))
        return base_fail(world->log, WEIR_ERROR_ARGUMENT,
                         "a slice needs a MAC grid, which %s does not have: set solver.method to "
                         "\"flip\" or \"apic\"",
                         scene_method_name(world->scene->solver.method));
    weir_slice *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for a slice");
    *made = make_slice(world, of, axis, position_m);
    size_t count = (size_t)made->columns * made->rows;
    made->values = base_alloc(count, sizeof *made->values);
    slice_job c = {.slice = made};
    WEIR_GOTO_IF_ERROR(
        made->values ? WEIR_OK
                     : base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for a slice"));
    WEIR_GOTO_IF_ERROR(sim_run_and_restore(world, read_slice, &c));
    if (c.flags) {
        WEIR_GOTO_IF_ERROR(sim_run_and_restore(world, sim_grow_for_next_frame, NULL));
        WEIR_GOTO_IF_ERROR(sim_run_and_restore(world, read_slice, &c));
    }
    find_value_range(made);
    *out = made;
    return WEIR_OK;
fail:
    sim_slice_free(&made);
    return result;
}
