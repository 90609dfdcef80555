/* The particles, copied into a slot that outlives the next frame. */
#include "sim_frame.h"

#define SLOT_FIELDS ((1u << WEIR_FIELD_COUNT) - 1u)

/* A slot has room to spare, so that an emitter does not make a new one necessary each frame. */
static weir_result make_room(sim_world *world, grid_points *points, uint32_t count)
{
    if (points->position && gpu_buffer_count(points->position) >= count) return WEIR_OK;
    grid_points_destroy(world->device, points);
    uint32_t room = grid_get_capacity(world->grid).particles;
    return grid_points_create(world->device, SLOT_FIELDS, room > count ? room : count, points);
}

weir_result sim_points(sim_world *world, grid_points *points)
{
    uint64_t ticket;
    WEIR_NEED(sim_settle(world));
    WEIR_NEED(sim_measure_densities(world));
    uint32_t count = world->last.status.count;
    WEIR_NEED(make_room(world, points, count));
    points->count = count;
    points->has_lambda = false;
    points->spacing_m = world->scene->spacing;
    points->radius_m = world->params.h;
    gpu_row row =
        sim_make_row(world, SIM_POINTS, (gpu_domain){.name = "particles", .count = count});
    row.constant = count;
    gpu_row_bind(&row, SIM_BIND_slot_positions, points->position);
    gpu_row_bind(&row, SIM_BIND_slot_velocities, points->velocity);
    gpu_row_bind(&row, SIM_BIND_slot_ids, points->id);
    gpu_row_bind(&row, SIM_BIND_slot_fluids, points->fluid);
    gpu_row_bind(&row, SIM_BIND_slot_densities, points->density);
    if (count == 0) return WEIR_OK;
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(gpu_record_rows(world->device, &row, 1, 0, NULL));
    return gpu_record_submit(world->device, &ticket);
}

static const gpu_row *find_row(const sim_world *world, int kernel)
{
    for (uint32_t i = 0; i < world->row_count; i++)
        if (world->rows[i].kernel == world->kernels[kernel]) return &world->rows[i];
    return NULL;
}

/* Runs the row of the solve once more into `into`: iterates and lists are still those of the last
 * iteration. `solves` NULL: zeros. */
static weir_result compute_lambda(sim_world *world, const gpu_row *solves, gpu_buffer *into)
{
    uint64_t ticket;
    gpu_row row = solves ? *solves : (gpu_row){0};
    row.group = NULL;
    row.domain = grid_live(world->grid);
    if (solves) gpu_row_bind(&row, SIM_BIND_multipliers, into);
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(gpu_record_fill(world->device, into, 0));
    if (solves)
        WEIR_NEED(gpu_record_rows(world->device, &row, 1, world->scene->solver.substeps - 1, NULL));
    return gpu_record_submit(world->device, &ticket);
}

weir_result sim_points_lambda(sim_world *world, grid_points *points)
{
    const float h = world->params.h;
    gpu_buffer_def def = {.name = "points_lambda", .stride = 16};
    WEIR_NEED(sim_settle(world));
    def.count = gpu_buffer_count(world->buffers.positions);
    if (points->lambda && gpu_buffer_count(points->lambda) < def.count)
        gpu_buffer_destroy(world->device, &points->lambda);
    if (!points->lambda) WEIR_NEED(gpu_buffer_create(world->device, &def, &points->lambda));
    bool known = world->lists_stand && points->count > 0;
    WEIR_NEED(compute_lambda(world, known ? find_row(world, SIM_LAMBDA) : NULL, points->lambda));
    points->lambda_unit = h * h / ((float)world->stiffness + (float)world->scene->solver.epsilon);
    points->has_lambda = true;
    return WEIR_OK;
}
