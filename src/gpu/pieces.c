/* The pieces of a row, each a dispatch: ranges of elements where a buffer passes the storage range,
 * and parts of the workgroups where the row takes longer than the budget of a submission. No
 * workgroup of a row waits for another, or sees what it does: gpu_table_check. So pieces may come
 * one after the other, and have the bits of one dispatch. */
#include "gpu/shaders.h"
#include "gpu_internal.h"
#include "shared/row.h"

/* Elements that one dispatch may cover so that every own-accessed buffer fits a binding; a multiple
 * of 256 keeps list blocks and workgroups whole. */
static uint64_t chunk_elements(const gpu_device *device, const gpu_row *row)
{
    uint64_t chunk = row->domain.count ? row->domain.count : 1;
    for (uint32_t u = 0; u < row->use_count; u++) {
        const gpu_use *use = &row->uses[u];
        if (!gpu_access_own(use->access) || use->buffer->size <= device->storage_range) continue;
        uint64_t fits = device->storage_range / use->buffer->stride / 256u * 256u;
        WEIR_ASSERT(fits > 0);
        if (fits < chunk) chunk = fits;
    }
    return chunk;
}

static bool is_draw(const gpu_row *row)
{
    return row->kernel->attachment_count > 0;
}

static VkPipelineBindPoint bind_point(const gpu_row *row)
{
    return is_draw(row) ? VK_PIPELINE_BIND_POINT_GRAPHICS : VK_PIPELINE_BIND_POINT_COMPUTE;
}

/* ---- parts ---------------------------------------------------------------------------------- */

static uint64_t workgroups(const gpu_row *row, uint64_t elements)
{
    uint64_t each = row->domain.per_invocation ? row->domain.per_invocation : 1;
    uint64_t per_group = each * row->kernel->workgroup;
    return (elements + per_group - 1) / per_group;
}

/* Each has a submission of its own, of at most half the budget: the time of a single kernel is
 * known worse than the sum of many. */
static uint32_t count_parts(const gpu_device *device, const gpu_row *row, uint64_t elements,
                            double ms)
{
    double parts = ms > device->submit_budget_ms ? ceil(2.0 * ms / device->submit_budget_ms) : 1.0;
    double most = fmin((double)workgroups(row, elements), GPU_PARTS_MOST);
    if (is_draw(row) || gpu_slot_lent(device->recording)) return 1;
    return (uint32_t)fmax(fmin(parts, most), 1.0);
}

weir_result gpu_pieces_prepare(gpu_device *device)
{
    const gpu_kernel_def kernel = {.shader = &gpu_shaders[GPU_PARTS]};
    const gpu_buffer_def arguments = {.name = "arguments of parts",
                                      .stride = sizeof(VkDispatchIndirectCommand),
                                      .count = GPU_PARTS_MOST,
                                      .memory = GPU_MEMORY_HOST};
    WEIR_NEED(gpu_kernel_create(device, &kernel, &device->parts_kernel));
    return gpu_buffer_create(device, &arguments, &device->part_arguments);
}

void gpu_pieces_forget(gpu_device *device)
{
    gpu_buffer_destroy(device, &device->part_arguments);
    gpu_kernel_destroy(device, &device->parts_kernel);
}

/* The device divides workgroups that it has counted itself. */
static weir_result divide_arguments(gpu_device *device, const gpu_domain *domain, uint32_t parts)
{
    gpu_row row = gpu_row_make(device->parts_kernel, (gpu_domain){.name = "parts", .count = parts});
    gpu_row_bind_all(&row, (gpu_buffer *const[]){domain->arguments, device->part_arguments}, 2);
    row.constant = domain->argument_offset / 4;
    gpu_pieces whole = {.row = row, .chunk = parts, .parts = 1, .count = 1};
    return gpu_record_piece(device, &whole, (struct gpu_row_push){.outer = parts}, 0);
}

weir_result gpu_pieces_make(gpu_device *device, const gpu_row *row, double ms, gpu_pieces *pieces)
{
    uint64_t chunk = chunk_elements(device, row), count = row->domain.count;
    uint32_t chunks = count > chunk ? (uint32_t)((count + chunk - 1) / chunk) : 1;
    *pieces = (gpu_pieces){.row = *row, .chunk = chunk};
    pieces->parts = count_parts(device, row, chunk, ms / chunks);
    pieces->count = chunks * pieces->parts;
    pieces->ms = ms / pieces->count;
    if (chunks > 1) pieces->row.domain.arguments = NULL; /* kernels look at the count themselves */
    if (pieces->parts == 1 || !pieces->row.domain.arguments) return WEIR_OK;
    WEIR_NEED(divide_arguments(device, &row->domain, pieces->parts));
    pieces->row.domain.arguments = device->part_arguments;
    pieces->row.domain.argument_offset = 0;
    return WEIR_OK;
}

/* ---- recording ------------------------------------------------------------------------------ */

static weir_result bind(gpu_device *device, const gpu_row *row, uint64_t first, uint64_t elements)
{
    uint64_t offsets[GPU_ROW_USES], ranges[GPU_ROW_USES];
    for (uint32_t u = 0; u < row->use_count; u++) {
        const gpu_use *use = &row->uses[u];
        bool part = gpu_access_own(use->access) && use->buffer->size > device->storage_range;
        offsets[u] = part ? first * use->buffer->stride : 0;
        uint64_t left = use->buffer->size - offsets[u];
        uint64_t wanted = elements * use->buffer->stride;
        ranges[u] = part && wanted < left ? wanted : left;
    }
    VkDescriptorSet set;
    weir_result result = gpu_set_find(device, row, offsets, ranges, &set);
    if (result == WEIR_OK)
        device->vk.vkCmdBindDescriptorSets(device->recording->commands, bind_point(row),
                                           row->kernel->layout, 0, 1, &set, 0, NULL);
    return result;
}

static void dispatch(gpu_device *device, const gpu_row *row, uint64_t groups,
                     const struct gpu_row_push *push)
{
    VkCommandBuffer commands = device->recording->commands;
    const gpu_domain *domain = &row->domain;
    if (domain->arguments) {
        device->vk.vkCmdDispatchIndirect(commands, domain->arguments->handle,
                                         domain->argument_offset +
                                             push->part * sizeof(VkDispatchIndirectCommand));
        return;
    }
    if (groups <= push->part) return;
    uint64_t own = (groups - push->part - 1) / push->parts + 1;
    /* Every device offers 65535 groups along x: the shader's index is x + y * 65535 groups. */
    uint64_t lines = (own + 65534) / 65535;
    device->vk.vkCmdDispatch(commands, (uint32_t)(lines > 1 ? 65535 : own), (uint32_t)lines, 1);
}

weir_result gpu_record_piece(gpu_device *device, gpu_pieces *pieces, struct gpu_row_push push,
                             uint32_t piece)
{
    const gpu_row *row = &pieces->row;
    VkCommandBuffer commands = device->recording->commands;
    uint64_t count = row->domain.count, first = piece / pieces->parts * pieces->chunk;
    if (is_draw(row) && count == 0) count = 1; /* its attachments may have to be cleared */
    uint64_t elements = count - first < pieces->chunk ? count - first : pieces->chunk;
    WEIR_NEED(gpu_kernel_finish(device, (gpu_kernel *)(uintptr_t)row->kernel));
    /* Validation compares what dispatches bind, and parts bind the same. */
    if (pieces->parts > 1 || pieces->epoch != device->epoch) gpu_order_row(device, row);
    pieces->epoch = device->epoch;
    if (elements == 0) return WEIR_OK;
    device->vk.vkCmdBindPipeline(commands, bind_point(row), row->kernel->pipeline);
    WEIR_NEED(bind(device, row, first, elements));
    push.first = (uint32_t)first;
    push.constant = row->constant;
    push.part = piece % pieces->parts;
    push.parts = pieces->parts;
    device->vk.vkCmdPushConstants(commands, row->kernel->layout, row->kernel->stages, 0,
                                  sizeof push, &push);
    if (is_draw(row))
        gpu_record_draw(device, row);
    else
        dispatch(device, row, workgroups(row, elements), &push);
    return WEIR_OK;
}
