/* Snapshots: copies of the particles that outlive the next frame. */
#include "sim_frame.h"

#define SLOT_FIELDS ((1u << WEIR_FIELD_COUNT) - 1u)

/* Enlarges the view to at least `count` particles, with headroom so that an emitter does not force
 * a new view in each frame. */
static weir_result reserve_points(sim_world *world, particle_view *points, uint32_t count)
{
    if (points->position && gpu_buffer_count(points->position) >= count) return WEIR_OK;
    particle_view_destroy(world->device, points);
    uint32_t capacity = grid_get_capacity(world->grid).particles;
    return particle_view_create(world->device, SLOT_FIELDS, capacity > count ? capacity : count,
                                points);
}

static void fill_points_header(const sim_world *world, particle_view *points, uint32_t count)
{
    points->count = count;
    points->has_lambda = false;
    points->spacing_m = world->scene->spacing;
    points->radius_m = world->params.h;
}

static gpu_pass make_points_pass(const sim_world *world, const particle_view *points)
{
    gpu_pass pass = sim_make_pass(world, SIM_SNAPSHOT,
                                  (gpu_dispatch_size){.name = "particles", .count = points->count});
    pass.constant = points->count;
    gpu_pass_bind(&pass, SIM_BIND_snapshot_positions, points->position);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_velocities, points->velocity);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_ids, points->id);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_fluids, points->fluid);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_densities, points->density);
    return pass;
}

weir_result sim_copy_points(sim_world *world, particle_view *points)
{
    uint64_t ticket;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    WEIR_RETURN_IF_ERROR(sim_measure_densities(world));
    uint32_t count = world->last_result.status.count;
    WEIR_RETURN_IF_ERROR(reserve_points(world, points, count));
    fill_points_header(world, points, count);
    if (count == 0) return WEIR_OK;
    gpu_pass pass = make_points_pass(world, points);
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, &pass, 1, 0, NULL));
    return gpu_record_submit(world->device, &ticket);
}

/* ---- snapshots that a step fills ------------------------------------------------------------ */

void sim_snapshot_destroy(gpu_device *device, sim_snapshot *snapshot)
{
    particle_view_destroy(device, &snapshot->points);
    gpu_buffer_destroy(device, &snapshot->counts);
    gpu_buffer_destroy(device, &snapshot->bodies);
    gpu_buffer_destroy(device, &snapshot->deformables);
}

weir_result sim_snapshot_reserve(sim_world *world, sim_snapshot *snapshot)
{
    WEIR_RETURN_IF_ERROR(
        reserve_points(world, &snapshot->points, grid_get_capacity(world->grid).particles));
    if (!snapshot->counts)
        WEIR_RETURN_IF_ERROR(sim_buffer_create(
            world, "points_counts", sizeof(struct sim_snapshot_args), 1, &snapshot->counts));
    if (world->bodies && !snapshot->bodies)
        WEIR_RETURN_IF_ERROR(sim_buffer_create(world, "points_bodies", sizeof(struct body_state),
                                               world->scene->body_count, &snapshot->bodies));
    if (!world->deformables || snapshot->deformables) return WEIR_OK;
    return sim_buffer_create(world, "points_softs", sizeof(struct deformable_state),
                             sim_deformable_bytes(world) / sizeof(struct deformable_state),
                             &snapshot->deformables);
}

/* Only emitters add particles, and the host plans their layers. */
void sim_snapshot_set_max_count(const sim_world *world, const sim_frame *frame,
                                sim_snapshot *snapshot)
{
    uint64_t max_count = world->last_result.status.count + (uint64_t)sim_frame_emitted_count(frame);
    for (uint64_t f = world->frames_done; f < world->frames_begun; f++)
        max_count += sim_frame_emitted_count(&world->frames[f % SIM_FRAMES_IN_FLIGHT]);
    uint32_t capacity = grid_get_capacity(world->grid).particles;
    snapshot->frame = frame->number;
    fill_points_header(world, &snapshot->points,
                       max_count < capacity ? (uint32_t)max_count : capacity);
}

weir_result sim_snapshot_record(sim_world *world, const sim_frame *frame)
{
    const sim_snapshot *snapshot = frame->snapshot;
    gpu_pass passes[2] = {
        sim_make_pass(world, SIM_SNAPSHOT_ARGS, (gpu_dispatch_size){.name = "one", .count = 1}),
        make_points_pass(world, &snapshot->points)};
    passes[0].constant = (uint32_t)frame->number;
    gpu_pass_bind(&passes[0], SIM_BIND_snapshot_args, snapshot->counts);
    WEIR_RETURN_IF_ERROR(
        gpu_record_passes(world->device, passes, snapshot->points.count ? 2 : 1, 0, NULL));
    const gpu_copy copies[] = {
        {.from = world->bodies ? body_set_states(world->bodies) : NULL,
         .to = snapshot->bodies,
         .size = sim_body_bytes(world)},
        {.from = world->deformables ? deformable_set_states(world->deformables) : NULL,
         .to = snapshot->deformables,
         .size = sim_deformable_bytes(world)}};
    for (size_t i = 0; i < BASE_COUNT(copies); i++)
        if (copies[i].from) WEIR_RETURN_IF_ERROR(gpu_record_copy(world->device, &copies[i]));
    return WEIR_OK;
}

weir_result sim_snapshot_read_count(gpu_device *device, sim_snapshot *snapshot, bool *whole)
{
    struct sim_snapshot_args counts;
    WEIR_RETURN_IF_ERROR(gpu_buffer_download(device, snapshot->counts, 0, &counts, sizeof counts));
    snapshot->points.count = counts.count;
    *whole = counts.complete != 0;
    return WEIR_OK;
}

weir_result sim_snapshot_body_poses(sim_world *world, const sim_snapshot *snapshot,
                                    scene_pose *poses)
{
    uint64_t size = sim_body_bytes(world);
    struct body_state *states = base_alloc(1, (size_t)size);
    if (!states) return base_fail(world->log, WEIR_ERROR_MEMORY, "no memory for the bodies' poses");
    weir_result result = gpu_buffer_download(world->device, snapshot->bodies, 0, states, size);
    for (uint32_t i = 0; result == WEIR_OK && i < world->scene->body_count; i++)
        poses[i] = body_pose(world->bodies, i, &states[i]);
    base_free(states);
    return result;
}

/* ---- lambda --------------------------------------------------------------------------------- */

static const gpu_pass *find_pass(const sim_world *world, int shader)
{
    for (uint32_t i = 0; i < world->pass_count; i++)
        if (world->passes[i].pipeline == world->pipelines[shader]) return &world->passes[i];
    return NULL;
}

/* Runs the lambda pass once more, with output to `into`; the iterates and lists are still those of
 * the last iteration. Without a lambda pass, fills in zeros. */
static weir_result compute_lambda(sim_world *world, const gpu_pass *lambda_pass, gpu_buffer *into)
{
    uint64_t ticket;
    gpu_pass pass = lambda_pass ? *lambda_pass : (gpu_pass){0};
    pass.group = NULL;
    pass.dispatch_size = grid_live_dispatch_size(world->grid);
    if (lambda_pass) gpu_pass_bind(&pass, SIM_BIND_multipliers, into);
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(gpu_record_fill(world->device, into, 0));
    if (lambda_pass)
        WEIR_RETURN_IF_ERROR(
            gpu_record_passes(world->device, &pass, 1, world->scene->solver.substeps - 1, NULL));
    return gpu_record_submit(world->device, &ticket);
}

weir_result sim_copy_lambda(sim_world *world, particle_view *points)
{
    const float h = world->params.h;
    gpu_buffer_def def = {.name = "points_lambda", .stride = 16};
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    def.count = gpu_buffer_count(world->buffers.positions);
    if (points->lambda && gpu_buffer_count(points->lambda) < def.count)
        gpu_buffer_destroy(world->device, &points->lambda);
    if (!points->lambda)
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(world->device, &def, &points->lambda));
    bool known = world->lists_valid && points->count > 0;
    WEIR_RETURN_IF_ERROR(
        compute_lambda(world, known ? find_pass(world, SIM_LAMBDA) : NULL, points->lambda));
    points->lambda_unit =
        h * h / ((float)world->stiffness + (float)world->scene->solver.constraint_softening);
    points->has_lambda = true;
    return WEIR_OK;
}
