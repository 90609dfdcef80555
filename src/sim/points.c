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

static void describe(const sim_world *world, grid_points *points, uint32_t count)
{
    points->count = count;
    points->has_lambda = false;
    points->spacing_m = world->scene->spacing;
    points->radius_m = world->params.h;
}

static gpu_row points_row(const sim_world *world, const grid_points *points)
{
    gpu_row row =
        sim_make_row(world, SIM_POINTS, (gpu_domain){.name = "particles", .count = points->count});
    row.constant = points->count;
    gpu_row_bind(&row, SIM_BIND_slot_positions, points->position);
    gpu_row_bind(&row, SIM_BIND_slot_velocities, points->velocity);
    gpu_row_bind(&row, SIM_BIND_slot_ids, points->id);
    gpu_row_bind(&row, SIM_BIND_slot_fluids, points->fluid);
    gpu_row_bind(&row, SIM_BIND_slot_densities, points->density);
    return row;
}

weir_result sim_points(sim_world *world, grid_points *points)
{
    uint64_t ticket;
    WEIR_NEED(sim_settle(world));
    WEIR_NEED(sim_measure_densities(world));
    uint32_t count = world->last.status.count;
    WEIR_NEED(make_room(world, points, count));
    describe(world, points, count);
    if (count == 0) return WEIR_OK;
    gpu_row row = points_row(world, points);
    WEIR_NEED(gpu_record_begin(world->device));
    WEIR_NEED(gpu_record_rows(world->device, &row, 1, 0, NULL));
    return gpu_record_submit(world->device, &ticket);
}

/* ---- slots that a step fills ---------------------------------------------------------------- */

void sim_slot_destroy(gpu_device *device, sim_slot *slot)
{
    grid_points_destroy(device, &slot->points);
    gpu_buffer_destroy(device, &slot->counts);
    gpu_buffer_destroy(device, &slot->bodies);
    gpu_buffer_destroy(device, &slot->softs);
}

weir_result sim_slot_make(sim_world *world, sim_slot *slot)
{
    WEIR_NEED(make_room(world, &slot->points, grid_get_capacity(world->grid).particles));
    if (!slot->counts)
        WEIR_NEED(
            sim_buffer_create(world, "points_counts", sizeof(struct sim_counts), 1, &slot->counts));
    if (world->bodies && !slot->bodies)
        WEIR_NEED(sim_buffer_create(world, "points_bodies", sizeof(struct body_state),
                                    world->scene->body_count, &slot->bodies));
    if (!world->softs || slot->softs) return WEIR_OK;
    return sim_buffer_create(world, "points_softs", sizeof(struct soft_state),
                             sim_soft_bytes(world) / sizeof(struct soft_state), &slot->softs);
}

/* Particles come from emitters alone, whose layers the host plans. */
void sim_slot_bound(const sim_world *world, const sim_frame *frame, sim_slot *slot)
{
    uint64_t most = world->last.status.count + (uint64_t)sim_frame_emits(frame);
    for (uint64_t f = world->frames_done; f < world->frames_begun; f++)
        most += sim_frame_emits(&world->frames[f % SIM_FRAMES]);
    uint32_t room = grid_get_capacity(world->grid).particles;
    slot->frame = frame->number;
    describe(world, &slot->points, most < room ? (uint32_t)most : room);
}

weir_result sim_slot_record(sim_world *world, const sim_frame *frame)
{
    const sim_slot *slot = frame->slot;
    gpu_row rows[2] = {
        sim_make_row(world, SIM_POINTS_COUNT, (gpu_domain){.name = "one", .count = 1}),
        points_row(world, &slot->points)};
    rows[0].constant = (uint32_t)frame->number;
    gpu_row_bind(&rows[0], SIM_BIND_slot_counts, slot->counts);
    WEIR_NEED(gpu_record_rows(world->device, rows, slot->points.count ? 2 : 1, 0, NULL));
    const gpu_copy copies[] = {{.from = world->bodies ? body_set_states(world->bodies) : NULL,
                                .to = slot->bodies,
                                .size = sim_body_bytes(world)},
                               {.from = world->softs ? soft_set_states(world->softs) : NULL,
                                .to = slot->softs,
                                .size = sim_soft_bytes(world)}};
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        if (copies[i].from) WEIR_NEED(gpu_record_copy(world->device, &copies[i]));
    return WEIR_OK;
}

weir_result sim_slot_read(gpu_device *device, sim_slot *slot, bool *whole)
{
    struct sim_counts counts;
    WEIR_NEED(gpu_buffer_download(device, slot->counts, 0, &counts, sizeof counts));
    slot->points.count = counts.count;
    *whole = counts.whole != 0;
    return WEIR_OK;
}

weir_result sim_slot_poses(sim_world *world, const sim_slot *slot, scene_pose *poses)
{
    uint64_t size = sim_body_bytes(world);
    struct body_state *states = base_alloc(1, (size_t)size);
    if (!states) return base_fail(world->log, WEIR_MEMORY, "no memory for the bodies' poses");
    weir_result result = gpu_buffer_download(world->device, slot->bodies, 0, states, size);
    for (uint32_t i = 0; result == WEIR_OK && i < world->scene->body_count; i++)
        poses[i] = body_pose(world->bodies, i, &states[i]);
    base_free(states);
    return result;
}

/* ---- lambda --------------------------------------------------------------------------------- */

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
