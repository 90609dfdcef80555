/* Snapshots: copies of the particles that outlive the next frame. */
#include "sim_frame.h"
#include "sim_solvers.h"

#define SLOT_FIELDS ((1u << WEIR_FIELD_COUNT) - 1u)

/* Enlarges the view to at least `count` particles, with headroom so that an emitter does not force
 * a new view in each frame. */
weir_result sim_points_reserve(sim_world *world, particle_view *points, uint32_t count)
{
    if (points->position && gpu_buffer_count(points->position) >= count) return WEIR_OK;
    particle_view_destroy(world->device, points);
    uint32_t capacity = grid_get_capacity(world->grid).particles;
    const uint32_t room = capacity > count ? capacity : count;
    const base_attributes attributes = scene_list_attributes(world->scene);
    WEIR_RETURN_IF_ERROR(particle_view_create(world->device, SLOT_FIELDS, room, points));
    return particle_view_add_attributes(world->device, &attributes, room, points);
}

void sim_points_fill_header(const sim_world *world, particle_view *points, uint32_t count)
{
    points->count = count;
    points->has_lambda = false;
    points->spacing_m = world->scene->spacing;
    points->radius_m = world->params.h;
}

gpu_pass sim_points_pass(const sim_world *world, const particle_view *points)
{
    gpu_pass pass = sim_make_pass(world, SIM_SNAPSHOT,
                                  (gpu_dispatch_size){.name = "particles", .count = points->count});
    pass.constant = points->count;
    gpu_pass_bind(&pass, SIM_BIND_snapshot_positions, points->position);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_velocities, points->velocity);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_ids, points->id);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_fluids, points->fluid);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_densities, points->density);
    gpu_pass_bind(&pass, SIM_BIND_snapshot_attributes,
                  points->attribute_values ? points->attribute_values : points->density);
    return pass;
}

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
        sim_points_reserve(world, &snapshot->points, grid_get_capacity(world->grid).particles));
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
    sim_points_fill_header(world, &snapshot->points,
                           max_count < capacity ? (uint32_t)max_count : capacity);
}

weir_result sim_snapshot_record(sim_world *world, const sim_frame *frame)
{
    const sim_snapshot *snapshot = frame->snapshot;
    gpu_pass passes[2] = {
        sim_make_pass(world, SIM_SNAPSHOT_ARGS, (gpu_dispatch_size){.name = "one", .count = 1}),
        sim_points_pass(world, &snapshot->points)};
    passes[0].constant = (uint32_t)frame->number;
    gpu_pass_bind(&passes[0], SIM_BIND_snapshot_args, snapshot->counts);
    WEIR_RETURN_IF_ERROR(
        gpu_record_passes(world->device, passes, snapshot->points.count ? 2 : 1, 0, NULL));
    const gpu_copy copies[] = {
        {.from = world->bodies ? body_set_buffers(world->bodies)->body_states : NULL,
         .to = snapshot->bodies,
         .size = sim_body_bytes(world)},
        {.from = world->deformables ? deformable_set_buffers(world->deformables)->deformable_states
                                    : NULL,
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
    if (!states)
        return base_fail(world->log, WEIR_ERROR_MEMORY, "not enough memory for the bodies' poses");
    weir_result result = gpu_buffer_download(world->device, snapshot->bodies, 0, states, size);
    for (uint32_t i = 0; result == WEIR_OK && i < world->scene->body_count; i++)
        poses[i] = body_pose(world->bodies, i, &states[i]);
    base_free(states);
    return result;
}
