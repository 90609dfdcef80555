/* Copies the particles' fields for the mesher and the renderer, and reads them. */
#include "sim_frame.h"
#include "sim_readout.h"

weir_result sim_copy_points(sim_world *world, particle_view *points)
{
    uint64_t ticket;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    WEIR_RETURN_IF_ERROR(sim_measure_densities(world));
    uint32_t count = world->last_result.status.count;
    WEIR_RETURN_IF_ERROR(sim_points_reserve(world, points, count));
    sim_points_fill_header(world, points, count);
    if (count == 0) return WEIR_OK;
    gpu_pass pass = sim_points_pass(world, points);
    WEIR_RETURN_IF_ERROR(gpu_record_begin(world->device));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(world->device, &pass, 1, 0, NULL));
    return gpu_record_submit(world->device, &ticket);
}

weir_result sim_particle_count(sim_world *world, uint32_t *count)
{
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    *count = world->last_result.status.count;
    return WEIR_OK;
}

weir_result sim_read_field(sim_world *world, weir_field field, void *out, size_t size)
{
    const void *gathered;
    bool vector = field == WEIR_FIELD_POSITION || field == WEIR_FIELD_VELOCITY;
    uint32_t words = vector ? 3 : 1;
    WEIR_RETURN_IF_ERROR(sim_complete_frames(world));
    if (field == WEIR_FIELD_DENSITY) WEIR_RETURN_IF_ERROR(sim_measure_densities(world));
    uint32_t count = world->last_result.status.count;
    if (size != (size_t)count * words * 4)
        return base_fail(
            world->log, WEIR_ERROR_ARGUMENT,
            "weir_sim_read_field: size is %zu bytes, expected %zu: %u particles of %u bytes", size,
            (size_t)count * words * 4, count, words * 4);
    WEIR_RETURN_IF_ERROR(sim_gather_by_id(world, (uint32_t)field, words, &gathered));
    if (size) memcpy(out, gathered, size);
    return WEIR_OK;
}

/* Runs the lambda pass once more, with output to `into`; the iterates and lists are still those of
 * the last iteration. Without a lambda pass, fills in zeros. */
static weir_result rerun_lambda_pass(sim_world *world, const gpu_pass *lambda_pass,
                                     gpu_buffer *into)
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
    uint32_t pass = sim_find_pass(world, SIM_LAMBDA);
    const gpu_pass *lambda_pass = known && pass < world->pass_count ? &world->passes[pass] : NULL;
    WEIR_RETURN_IF_ERROR(rerun_lambda_pass(world, lambda_pass, points->lambda));
    points->lambda_unit =
        h * h / ((float)world->stiffness + (float)world->scene->solver.constraint_softening);
    points->has_lambda = true;
    return WEIR_OK;
}
