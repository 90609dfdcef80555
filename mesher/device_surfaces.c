/* Surfaces that stay on the device, for a host program that works on them there. */
#include "mesher_internal.h"

static void swap_buffers(gpu_buffer **a, gpu_buffer **b)
{
    gpu_buffer *held = *a;
    *a = *b;
    *b = held;
}

/* Exchanges the mesher's output buffers with those of a surface; a second call undoes it. */
static void swap_outputs(mesher *m, mesher_device_surface *shared)
{
    swap_buffers(&m->buffers.vertices, &shared->position);
    swap_buffers(&m->buffers.normals, &shared->normal);
    swap_buffers(&m->buffers.indices, &shared->index);
}

static weir_result write_draw_arguments(mesher *m, mesher_device_surface *shared)
{
    const uint32_t arguments[MESHER_DRAW_ARGUMENT_WORDS] = {3 * m->frame.triangle_count, 1, 0, 0,
                                                            0};
    const gpu_buffer_def def = {.name = "mesh_arguments",
                                .stride = 4,
                                .count = MESHER_DRAW_ARGUMENT_WORDS,
                                .memory = GPU_MEMORY_UPLOAD};
    if (!shared->arguments)
        WEIR_RETURN_IF_ERROR(gpu_buffer_create(m->device, &def, &shared->arguments));
    return gpu_buffer_upload(m->device, shared->arguments, 0, arguments, sizeof arguments);
}

static weir_result submit_empty(mesher *m, const struct weir_vulkan_submit *submission)
{
    uint64_t ticket;
    if (!submission) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(gpu_record_begin_with(m->device, submission));
    return gpu_record_submit(m->device, &ticket);
}

static weir_result run_meshing(mesher *m, const particle_view *points,
                               mesher_device_surface *shared)
{
    WEIR_RETURN_IF_ERROR(mesher_begin_frame(m, points, false));
    if (points->count) WEIR_RETURN_IF_ERROR(mesher_count_single_batch(m));
    WEIR_RETURN_IF_ERROR(mesher_reserve_output(m));
    WEIR_RETURN_IF_ERROR(write_draw_arguments(m, shared));
    if (m->frame.vertex_count == 0 || m->frame.output_ready) return WEIR_OK;
    return mesher_submit(m, &(mesher_phase_run){MESHER_PHASE_OUTPUT, 0}, 1);
}

weir_result mesher_run_on_device(mesher *m, const particle_view *points,
                                 const mesher_submit_hooks *hooks,
                                 const mesher_device_surface **out)
{
    mesher_device_surface *shared =
        &m->device_surfaces[(m->generation + 1) % MESHER_DEVICE_SURFACES];
    if (m->def.normals == WEIR_MESH_NORMALS_FACES)
        return base_fail(mesher_log(m), WEIR_ERROR_UNSUPPORTED,
                         "face normals are computed on the CPU: a surface that stays on the device "
                         "supports field normals, or none");
    WEIR_RETURN_IF_ERROR(submit_empty(m, hooks->before));
    shared->generation = 0; /* until it is complete again */
    swap_outputs(m, shared);
    weir_result result = run_meshing(m, points, shared);
    swap_outputs(m, shared);
    WEIR_RETURN_IF_ERROR(result);
    WEIR_RETURN_IF_ERROR(submit_empty(m, hooks->after));
    shared->normals = m->def.normals == WEIR_MESH_NORMALS_FIELD;
    shared->vertex_count = m->frame.vertex_count;
    shared->triangle_count = m->frame.triangle_count;
    shared->cell_m = (float)m->frame.cell_m;
    shared->generation = ++m->generation;
    *out = shared;
    return WEIR_OK;
}

weir_result mesher_device_surface_find(const mesher *m, uint64_t generation,
                                       const mesher_device_surface **out)
{
    const mesher_device_surface *shared = &m->device_surfaces[generation % MESHER_DEVICE_SURFACES];
    *out = shared;
    if (generation > 0 && shared->generation == generation) return WEIR_OK;
    if (generation == 0 || generation > m->generation)
        return base_fail(mesher_log(m), WEIR_ERROR_ARGUMENT,
                         "the mesher has no generation %llu: the last one is %llu",
                         (unsigned long long)generation, (unsigned long long)m->generation);
    return base_fail(mesher_log(m), WEIR_ERROR_ARGUMENT,
                     "generation %llu no longer exists: a later run has reused its buffers; the "
                     "last one is %llu",
                     (unsigned long long)generation, (unsigned long long)m->generation);
}
