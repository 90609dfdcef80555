/* The particles, copied into a slot that outlives the next frame. */
#include "sim_internal.h"

#define SLOT_FIELDS ((1u << WEIR_FIELD_COUNT) - 1u)

/* A slot is made with room to spare, so that an emitter does not ask for a new one each frame. */
static weir_result make_room(sim_world *world, grid_points *points, uint32_t count)
{
    if (points->position && gpu_buffer_count(points->position) >= count) return WEIR_OK;
    grid_points_destroy(world->device, points);
    uint32_t room = grid_get_capacity(world->grid).particles;
    return grid_points_create(world->device, SLOT_FIELDS, room > count ? room : count, points);
}

weir_result sim_points(sim_world *world, grid_points *points)
{
    weir_result result;
    sim_buffers *b = &world->buffers;
    uint64_t ticket;
    WEIR_TRY(sim_settle(world));
    uint32_t count = world->last.status.count;
    WEIR_TRY(make_room(world, points, count));
    points->count = count;
    points->spacing_m = world->scene->spacing;
    points->radius_m = world->params.h;
    gpu_row row = {.kernel = world->kernels[SIM_POINTS],
                   .domain = {.name = "particles", .count = count},
                   .constant = count};
    gpu_row_use(&row, SIM_BIND_PARAMS, b->params, GPU_BLOCK);
    gpu_row_use(&row, SIM_BIND_X, b->x, GPU_GATHER);
    gpu_row_use(&row, SIM_BIND_V, b->v, GPU_GATHER);
    gpu_row_use(&row, SIM_BIND_IDS, b->ids, GPU_GATHER);
    gpu_row_use(&row, SIM_BIND_DENSITY, b->density, GPU_GATHER);
    gpu_row_use(&row, SIM_BIND_SLOT_POSITION, points->position, GPU_SCATTER);
    gpu_row_use(&row, SIM_BIND_SLOT_VELOCITY, points->velocity, GPU_SCATTER);
    gpu_row_use(&row, SIM_BIND_SLOT_ID, points->id, GPU_SCATTER);
    gpu_row_use(&row, SIM_BIND_SLOT_FLUID, points->fluid, GPU_SCATTER);
    gpu_row_use(&row, SIM_BIND_SLOT_DENSITY, points->density, GPU_SCATTER);
    if (count == 0) return WEIR_OK;
    WEIR_TRY(gpu_record_begin(world->device));
    WEIR_TRY(gpu_record_rows(world->device, &row, 1, 0, NULL));
    WEIR_TRY(gpu_record_submit(world->device, &ticket));
fail:
    return result;
}
