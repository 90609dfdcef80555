/* Splits a pass into pieces, each a dispatch or a draw: ranges of elements if a buffer exceeds the
 * storage range, and parts of the workgroups if the pass takes longer than the budget of a
 * submission. gpu_passes_check ensures that no workgroup of a pass waits for another or sees its
 * writes, so pieces can run one after the other with the same bits as one dispatch. */
#include "gpu/shaders.h"
#include "gpu_internal.h"
#include "shared/pass.h"

/* Returns the number of elements that one dispatch may cover so that every buffer with own access
 * fits a binding; a multiple of 256, which keeps list blocks and workgroups whole. */
static uint64_t max_chunk_elements(const gpu_device *device, const gpu_pass *pass)
{
    uint64_t chunk = pass->dispatch_size.count ? pass->dispatch_size.count : 1;
    for (uint32_t u = 0; u < pass->use_count; u++) {
        const gpu_buffer_use *use = &pass->uses[u];
        if (!gpu_access_is_own(use->access) || use->buffer->size <= device->storage_range) continue;
        uint64_t fits = device->storage_range / use->buffer->stride / 256u * 256u;
        WEIR_ASSERT(fits > 0);
        if (fits < chunk) chunk = fits;
    }
    return chunk;
}

static bool is_draw(const gpu_pass *pass)
{
    return pass->pipeline->attachment_count > 0;
}

static VkPipelineBindPoint pipeline_bind_point(const gpu_pass *pass)
{
    return is_draw(pass) ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* Returns what a draw can be divided into: its instances, or pairs of triangles if it has one. */
static uint64_t draw_unit_count(const gpu_pass *pass)
{
    const gpu_dispatch_size *dispatch_size = &pass->dispatch_size;
    if (dispatch_size->arguments) return 1; /* only the device knows them */
    if (pass->pipeline->draw_def.quads) return gpu_quad_instances(dispatch_size);
    if (dispatch_size->count > 1 || pass->pipeline->draw_def.strips) return dispatch_size->count;
    return dispatch_size->vertices / GPU_DRAW_UNIT;
}

static uint64_t workgroup_count(const gpu_pass *pass, uint64_t elements)
{
    uint64_t each = pass->dispatch_size.per_invocation ? pass->dispatch_size.per_invocation : 1;
    uint64_t per_group = each * pass->pipeline->workgroup;
    return (elements + per_group - 1) / per_group;
}

/* Returns the number of parts. Each has its own submission, of at most half the budget, because the
 * time of a single pass is known less precisely than the sum of many. */
static uint32_t count_parts(const gpu_device *device, const gpu_pass *pass, uint64_t elements,
                            double ms)
{
    double parts = ms > device->submit_budget_ms ? ceil(2.0 * ms / device->submit_budget_ms) : 1.0;
    uint64_t units = is_draw(pass) ? draw_unit_count(pass) : workgroup_count(pass, elements);
    double most = fmin((double)units, GPU_MAX_PARTS);
    if (gpu_command_slot_is_borrowed(device->recording)) return 1;
    return (uint32_t)fmax(fmin(parts, most), 1.0);
}

weir_result gpu_split_dispatch_create(gpu_device *device)
{
    const gpu_pipeline_def pipeline = {.shader = &gpu_shaders[GPU_SPLIT_DISPATCH_ARGS]};
    const gpu_buffer_def arguments = {.name = "split dispatch arguments",
                                      .stride = sizeof(VkDispatchIndirectCommand),
                                      .count = GPU_MAX_PARTS,
                                      .memory = GPU_MEMORY_UPLOAD};
    WEIR_RETURN_IF_ERROR(gpu_pipeline_create(device, &pipeline, &device->split_args_pipeline));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device, &arguments, &device->part_arguments));
    return gpu_buffer_create(device, &arguments, &device->yield_part_arguments);
}

void gpu_split_dispatch_destroy(gpu_device *device)
{
    gpu_buffer_destroy(device, &device->part_arguments);
    gpu_buffer_destroy(device, &device->yield_part_arguments);
    gpu_pipeline_destroy(device, &device->split_args_pipeline);
}

/* Divides a workgroup count that exists only on the device. */
static weir_result write_split_arguments(gpu_device *device, const gpu_dispatch_size *dispatch_size,
                                         uint32_t parts)
{
    gpu_pass pass = gpu_pass_make(device->split_args_pipeline,
                                  (gpu_dispatch_size){.name = "parts", .count = parts});
    gpu_pass_bind_all(&pass,
                      (gpu_buffer *const[]){dispatch_size->arguments, device->part_arguments}, 2);
    pass.constant = dispatch_size->argument_offset / 4;
    gpu_split_dispatch whole = {.pass = pass, .chunk = parts, .parts = 1, .count = 1};
    return gpu_record_dispatch(device, &whole, (struct gpu_pass_push){.outer = parts}, 0);
}

weir_result gpu_split_dispatch_plan(gpu_device *device, const gpu_pass *pass, double ms,
                                    gpu_split_dispatch *pieces)
{
    uint64_t chunk = max_chunk_elements(device, pass), count = pass->dispatch_size.count;
    uint32_t chunks = count > chunk ? (uint32_t)((count + chunk - 1) / chunk) : 1;
    *pieces = (gpu_split_dispatch){.pass = *pass, .chunk = chunk};
    pieces->parts = count_parts(device, pass, chunk, ms / chunks);
    pieces->count = chunks * pieces->parts;
    pieces->ms = ms / pieces->count;
    if (chunks > 1)
        pieces->pass.dispatch_size.arguments = NULL; /* shaders check the count themselves */
    if (pieces->parts == 1 || !pieces->pass.dispatch_size.arguments) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(write_split_arguments(device, &pass->dispatch_size, pieces->parts));
    pieces->pass.dispatch_size.arguments = device->part_arguments;
    pieces->pass.dispatch_size.argument_offset = 0;
    return WEIR_OK;
}

/* ---- recording ------------------------------------------------------------------------------ */

static weir_result bind_descriptors(gpu_device *device, const gpu_pass *pass, uint64_t first,
                                    uint64_t elements)
{
    uint64_t offsets[GPU_PASS_BUFFERS], ranges[GPU_PASS_BUFFERS];
    for (uint32_t u = 0; u < pass->use_count; u++) {
        const gpu_buffer_use *use = &pass->uses[u];
        bool part = gpu_access_is_own(use->access) && use->buffer->size > device->storage_range;
        offsets[u] = part ? first * use->buffer->stride : 0;
        uint64_t left = gpu_buffer_bound_size(use->buffer) - offsets[u];
        uint64_t wanted = elements * use->buffer->stride;
        ranges[u] = part && wanted < left ? wanted : left;
    }
    VkDescriptorSet set;
    weir_result result = gpu_descriptor_set_find(device, pass, offsets, ranges, &set);
    if (result == WEIR_OK)
        device->vk.vkCmdBindDescriptorSets(device->recording->commands, pipeline_bind_point(pass),
                                           pass->pipeline->layout, 0, 1, &set, 0, NULL);
    return result;
}

static void record_workgroups(gpu_device *device, const gpu_pass *pass, uint64_t groups,
                              const struct gpu_pass_push *push)
{
    VkCommandBuffer commands = device->recording->commands;
    const gpu_dispatch_size *dispatch_size = &pass->dispatch_size;
    if (dispatch_size->arguments) {
        device->vk.vkCmdDispatchIndirect(commands, dispatch_size->arguments->handle,
                                         dispatch_size->argument_offset +
                                             push->part * sizeof(VkDispatchIndirectCommand));
        return;
    }
    if (groups <= push->part) return;
    uint64_t own = (groups - push->part - 1) / push->parts + 1;
    /* Every device allows 65535 groups along x; the shader's group index is x + y * 65535. */
    uint64_t lines = (own + 65534) / 65535;
    device->vk.vkCmdDispatch(commands, (uint32_t)(lines > 1 ? 65535 : own), (uint32_t)lines, 1);
}

/* Returns the pass of a part of a draw: only the first clears the attachments. */
static gpu_pass later_part(const gpu_pass *pass)
{
    gpu_pass part = *pass;
    for (uint32_t i = 0; i < part.image_count; i++)
        if (part.images[i].access == GPU_ATTACH_CLEAR) part.images[i].access = GPU_ATTACH;
    return part;
}

weir_result gpu_record_dispatch(gpu_device *device, gpu_split_dispatch *pieces,
                                struct gpu_pass_push push, uint32_t piece)
{
    push.part = piece % pieces->parts;
    push.parts = pieces->parts;
    const bool later = push.part > 0 && is_draw(&pieces->pass);
    const gpu_pass continued = later ? later_part(&pieces->pass) : (gpu_pass){0};
    const gpu_pass *pass = later ? &continued : &pieces->pass;
    VkCommandBuffer commands = device->recording->commands;
    uint64_t count = pass->dispatch_size.count, first = piece / pieces->parts * pieces->chunk;
    if (is_draw(pass) && count == 0) count = 1; /* its attachments may have to be cleared */
    uint64_t elements = count - first < pieces->chunk ? count - first : pieces->chunk;
    WEIR_RETURN_IF_ERROR(gpu_pipeline_compile(device, (gpu_pipeline *)(uintptr_t)pass->pipeline));
    /* Validation compares the bindings of dispatches, and the parts of a pass bind the same
     * memory. */
    if (pieces->parts > 1 || pieces->epoch != device->epoch) gpu_order_pass(device, pass);
    pieces->epoch = device->epoch;
    if (elements == 0) return WEIR_OK;
    device->vk.vkCmdBindPipeline(commands, pipeline_bind_point(pass), pass->pipeline->handle);
    WEIR_RETURN_IF_ERROR(bind_descriptors(device, pass, first, elements));
    push.first = (uint32_t)first;
    push.constant = pass->constant;
    device->vk.vkCmdPushConstants(commands, pass->pipeline->layout, pass->pipeline->stages, 0,
                                  sizeof push, &push);
    if (is_draw(pass))
        gpu_record_draw(device, pass, push.part, push.parts);
    else
        record_workgroups(device, pass, workgroup_count(pass, elements), &push);
    return WEIR_OK;
}
