/* Barriers between passes that access the same memory. Their stages are those used since the last
 * barrier and those of the next pass. Between two compute passes a barrier names the compute stage
 * only: GPUs read indirect arguments ahead of the shaders, and draining that takes them longer. */
#include "gpu_internal.h"

static void record_barrier(gpu_device *device, VkMemoryBarrier2 memory, gpu_image_barriers *images)
{
    memory.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2;
    for (uint32_t i = 0; images && i < images->count; i++) {
        images->items[i].srcStageMask = memory.srcStageMask;
        images->items[i].srcAccessMask = memory.srcAccessMask;
        images->items[i].dstStageMask = memory.dstStageMask;
        images->items[i].dstAccessMask = memory.dstAccessMask;
    }
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .memoryBarrierCount = 1,
        .pMemoryBarriers = &memory,
        .imageMemoryBarrierCount = images ? images->count : 0,
        .pImageMemoryBarriers = images ? images->items : NULL,
    };
    device->vk.vkCmdPipelineBarrier2(device->recording->commands, &info);
}

static const VkPipelineStageFlags2 work_stages = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT |
                                                 VK_PIPELINE_STAGE_2_TRANSFER_BIT |
                                                 VK_PIPELINE_STAGE_2_DRAW_INDIRECT_BIT;
static const VkAccessFlags2 work_writes =
    VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_TRANSFER_WRITE_BIT;
static const VkAccessFlags2 work_uses =
    VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT | VK_ACCESS_2_TRANSFER_READ_BIT |
    VK_ACCESS_2_TRANSFER_WRITE_BIT | VK_ACCESS_2_INDIRECT_COMMAND_READ_BIT;
static const VkPipelineStageFlags2 draw_stages =
    VK_PIPELINE_STAGE_2_VERTEX_SHADER_BIT | VK_PIPELINE_STAGE_2_FRAGMENT_SHADER_BIT |
    VK_PIPELINE_STAGE_2_EARLY_FRAGMENT_TESTS_BIT | VK_PIPELINE_STAGE_2_LATE_FRAGMENT_TESTS_BIT |
    VK_PIPELINE_STAGE_2_COLOR_ATTACHMENT_OUTPUT_BIT;
static const VkAccessFlags2 draw_writes =
    VK_ACCESS_2_COLOR_ATTACHMENT_WRITE_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_WRITE_BIT;
static const VkAccessFlags2 draw_reads =
    VK_ACCESS_2_COLOR_ATTACHMENT_READ_BIT | VK_ACCESS_2_DEPTH_STENCIL_ATTACHMENT_READ_BIT;

static VkMemoryBarrier2 barrier_scope(const gpu_device *device, bool draws)
{
    return (VkMemoryBarrier2){
        .srcStageMask = work_stages | (device->drawn ? draw_stages : 0),
        .srcAccessMask = work_writes | (device->drawn ? draw_writes : 0),
        .dstStageMask = work_stages | (draws ? draw_stages : 0),
        .dstAccessMask = work_uses | (draws ? draw_writes | draw_reads : 0),
    };
}

static void reset_barrier_state(gpu_device *device, bool draws)
{
    device->drawn = device->copied = false;
    device->ended_outside_draws = !draws;
    device->full_epoch = ++device->epoch;
}

void gpu_barrier(gpu_device *device, bool draws, gpu_image_barriers *images)
{
    record_barrier(device, barrier_scope(device, draws), images);
    reset_barrier_state(device, draws);
}

/* Records a barrier between the recorded compute passes and those that follow. */
static void compute_barrier(gpu_device *device)
{
    record_barrier(device,
                   (VkMemoryBarrier2){
                       .srcStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                       .srcAccessMask = VK_ACCESS_2_SHADER_WRITE_BIT,
                       .dstStageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
                       .dstAccessMask = VK_ACCESS_2_SHADER_READ_BIT | VK_ACCESS_2_SHADER_WRITE_BIT,
                   },
                   NULL);
    device->ended_outside_draws = true;
    device->epoch++;
}

/* A host may have used Weir's buffers in any stage, so an adopted device waits for all of them. */
void gpu_barrier_first(gpu_device *device)
{
    device->drawn = device->draws;
    VkMemoryBarrier2 memory = barrier_scope(device, device->draws);
    if (device->adopted) {
        memory.srcStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        memory.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
    }
    record_barrier(device, memory, NULL);
    reset_barrier_state(device, device->draws);
}

void gpu_barrier_last(gpu_device *device)
{
    VkMemoryBarrier2 memory = {.srcStageMask = work_stages,
                               .srcAccessMask = work_writes,
                               .dstStageMask = VK_PIPELINE_STAGE_2_HOST_BIT,
                               .dstAccessMask = VK_ACCESS_2_HOST_READ_BIT};
    if (device->adopted) {
        memory.dstStageMask |= VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
        memory.dstAccessMask |= VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
    }
    record_barrier(device, memory, NULL);
}

/* Reports whether a read, or a write, of the buffer conflicts with an access since an epoch. */
static bool conflicts_since(const gpu_buffer *buffer, uint64_t epoch, bool writes)
{
    return buffer->write_epoch >= epoch || (writes && buffer->read_epoch >= epoch);
}

static void mark_access(const gpu_device *device, gpu_buffer *buffer, bool reads, bool writes)
{
    if (reads) buffer->read_epoch = device->epoch;
    if (writes) buffer->write_epoch = device->epoch;
}

void gpu_order_copy(gpu_device *device, gpu_buffer *buffer, bool writes)
{
    if (conflicts_since(buffer, device->full_epoch, writes)) gpu_barrier(device, false, NULL);
    mark_access(device, buffer, !writes, writes);
    device->copied = true;
}

/* Reports whether an access must wait; a layout transition counts as a write. */
static bool image_access_conflicts(const gpu_device *device, const gpu_image *image,
                                   VkImageLayout layout, bool writes)
{
    if (image->layout != layout) return true;
    return image->epoch == device->epoch && (image->written || (writes && image->read));
}

static void mark_image_access(gpu_device *device, gpu_image *image, VkImageLayout layout,
                              bool writes)
{
    if (image->epoch != device->epoch) {
        image->epoch = device->epoch;
        image->read = image->written = false;
    }
    image->read = true;
    image->written |= writes;
    image->layout = layout;
    if (image->recorded) return;
    image->recorded = true;
    image->next_recorded = device->recorded_images;
    device->recorded_images = image;
}

void gpu_record_image_order(gpu_device *device, gpu_image *image, VkImageLayout layout, bool writes)
{
    gpu_image_barriers barriers = {0};
    bool wait = image_access_conflicts(device, image, layout, writes);
    if (image->layout != layout)
        barriers.items[barriers.count++] = gpu_image_transition(image, layout);
    if (wait) gpu_barrier(device, false, &barriers);
    mark_image_access(device, image, layout, writes);
}

/* Adds the transitions that the pass needs; returns whether it must wait for any of its images. */
static bool collect_image_barriers(gpu_device *device, const gpu_pass *pass,
                                   gpu_image_barriers *barriers)
{
    bool wait = false;
    for (uint32_t u = 0; u < pass->image_count; u++) {
        const gpu_image_use *use = &pass->images[u];
        VkImageLayout layout = gpu_image_use_layout(pass, use);
        wait |= image_access_conflicts(device, use->image, layout, gpu_access_writes(use->access));
        bool listed = false; /* a pass may read an image twice */
        for (uint32_t b = 0; b < barriers->count; b++)
            listed |= barriers->items[b].image == use->image->handle;
        if (use->image->layout != layout && !listed)
            barriers->items[barriers->count++] = gpu_image_transition(use->image, layout);
    }
    return wait;
}

void gpu_order_pass(gpu_device *device, const gpu_pass *pass)
{
    gpu_image_barriers barriers = {0};
    gpu_buffer *arguments = pass->dispatch_size.arguments;
    bool draws = pass->pipeline->attachment_count > 0, wait = false;
    bool full = draws && device->ended_outside_draws;
    full |= arguments && conflicts_since(arguments, device->full_epoch, false);
    full |= collect_image_barriers(device, pass, &barriers);
    for (uint32_t u = 0; u < pass->use_count; u++)
        wait |= conflicts_since(pass->uses[u].buffer, device->epoch,
                                gpu_access_writes(pass->uses[u].access));
    bool compute_only = !draws && !device->drawn && !device->copied && !device->recorded_images;
    if (full || (wait && !compute_only))
        gpu_barrier(device, draws, &barriers);
    else if (wait)
        compute_barrier(device);
    device->drawn |= draws;
    for (uint32_t u = 0; u < pass->image_count; u++)
        mark_image_access(device, pass->images[u].image,
                          gpu_image_use_layout(pass, &pass->images[u]),
                          gpu_access_writes(pass->images[u].access));
    if (arguments) mark_access(device, arguments, true, false);
    for (uint32_t u = 0; u < pass->use_count; u++)
        mark_access(device, pass->uses[u].buffer, gpu_access_reads(pass->uses[u].access),
                    gpu_access_writes(pass->uses[u].access));
}
