/* The recorder turns passes into dispatches, with the barriers that follow from their declarations,
 * in as few submissions as the budget allows (GPU_SUBMISSION_MS). A pass that exceeds the budget by
 * itself is split: split_dispatch.c. */
#include "gpu_adopt.h"
#include "gpu_trace.h"
#include "shared/pass.h"

/* ---- slots and tickets ---------------------------------------------------------------------- */

static weir_result create_slot(gpu_device *device, gpu_command_slot *slot)
{
    VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = device->command_pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkAllocateCommandBuffers, &commands, &slot->own));
    slot->commands = slot->own;
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkCreateFence, &fence, device->allocator, &slot->fence));
    return gpu_slot_create_queries(device, slot);
}

weir_result gpu_command_slots_create(gpu_device *device)
{
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = device->queue_family,
    };
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkCreateCommandPool, &pool, device->allocator, &device->command_pool));
    for (uint32_t i = 0; i < GPU_COMMAND_SLOTS; i++)
        WEIR_RETURN_IF_ERROR(create_slot(device, &device->slots[i]));
    return WEIR_OK;
}

void gpu_command_slots_destroy(gpu_device *device)
{
    for (uint32_t i = 0; i < GPU_COMMAND_SLOTS; i++) {
        device->vk.vkDestroyFence(device->handle, device->slots[i].fence, device->allocator);
        gpu_slot_destroy_queries(device, &device->slots[i]);
    }
    device->vk.vkDestroyCommandPool(device->handle, device->command_pool, device->allocator);
}

bool gpu_command_slot_is_borrowed(const gpu_command_slot *slot)
{
    return slot->commands != slot->own;
}

/* Waits for a slot. A host's command buffer is covered by the host's fence; a fence of Weir's,
 * submitted after it, serves the same purpose. */
static weir_result wait_for_slot(gpu_device *device, gpu_command_slot *slot)
{
    if (!gpu_command_slot_is_borrowed(slot)) return gpu_fence_wait(device, &slot->fence);
    return slot->done_by_host ? WEIR_OK : gpu_queue_wait(device);
}

static weir_result finish_slot(gpu_device *device, gpu_command_slot *slot)
{
    double cpu_s = base_thread_cpu_time_s();
    WEIR_RETURN_IF_ERROR(wait_for_slot(device, slot));
    device->waited_cpu_s += base_thread_cpu_time_s() - cpu_s;
    gpu_timers_collect(device, slot);
    if (!gpu_command_slot_is_borrowed(slot))
        WEIR_RETURN_IF_ERROR(GPU_VK(device, vkResetFences, 1, &slot->fence));
    slot->pending = false;
    return WEIR_OK;
}

void gpu_command_buffer_finished(gpu_device *device, VkCommandBuffer commands)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < GPU_COMMAND_SLOTS; i++) {
        const gpu_command_slot *slot = &device->slots[i];
        if (slot->pending && slot->commands == commands && slot->ticket > last) last = slot->ticket;
    }
    for (uint32_t i = 0; i < GPU_COMMAND_SLOTS; i++)
        if (device->slots[i].ticket <= last) device->slots[i].done_by_host = true;
}

bool gpu_ticket_done(gpu_device *device, uint64_t ticket)
{
    const gpu_command_slot *slot = &device->slots[ticket % GPU_COMMAND_SLOTS];
    if (slot->ticket != ticket || !slot->pending) return true;
    if (gpu_command_slot_is_borrowed(slot)) return slot->done_by_host;
    /* Also true for a lost device; waiting for the ticket then reports the loss. */
    return device->vk.vkGetFenceStatus(device->handle, slot->fence) != VK_NOT_READY;
}

/* Waits for a ticket. `why` names the span in traces. */
static weir_result wait_for_ticket(gpu_device *device, uint64_t ticket, const char *why)
{
    weir_result result = WEIR_OK;
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    bool waits = gpu_is_traced(device) && !gpu_ticket_done(device, ticket);
    double start_s = waits ? gpu_trace_begin(why) : 0.0;
    /* Timings are collected in order, since the queue finishes submissions in order. */
    uint64_t first = ticket >= GPU_COMMAND_SLOTS ? ticket - GPU_COMMAND_SLOTS + 1 : 1;
    for (uint64_t t = first; t <= ticket && result == WEIR_OK; t++) {
        gpu_command_slot *slot = &device->slots[t % GPU_COMMAND_SLOTS];
        if (slot->ticket == t && slot->pending) result = finish_slot(device, slot);
    }
    if (waits) gpu_trace_cpu(device, why, start_s, ticket);
    return result;
}

weir_result gpu_ticket_wait(gpu_device *device, uint64_t ticket)
{
    return wait_for_ticket(device, ticket, "wait");
}

/* ---- recording ------------------------------------------------------------------------------ */

/* Updates the images at the end of a recording. `kept` is false for an abandoned recording, which
 * leaves their contents undefined. */
static void clear_recorded_images(gpu_device *device, bool kept)
{
    for (gpu_image *image = device->recorded_images; image; image = image->next_recorded) {
        image->recorded = false;
        if (!kept) image->layout = image->borrowed ? image->host_layout : VK_IMAGE_LAYOUT_UNDEFINED;
    }
    device->recorded_images = NULL;
}

/* Acquires the device for one recording. Fails if it is busy, which only a second thread can cause.
 */
static weir_result begin_exclusive(gpu_device *device)
{
    if (!atomic_exchange(&device->busy, true)) return WEIR_OK;
    return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                     "two threads use one device at the same time: serialise all calls to a device "
                     "and to the objects created from it");
}

static weir_result end_exclusive(gpu_device *device, weir_result result)
{
    atomic_store(&device->busy, false);
    return result;
}

static void abandon_slot(gpu_command_slot *slot)
{
    slot->query_count = 0; /* the next recording resets the queries */
    slot->abandoned |= !gpu_command_slot_is_borrowed(slot);
}

static weir_result begin_commands(gpu_device *device, gpu_command_slot *slot)
{
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    if (slot->abandoned)
        WEIR_RETURN_IF_ERROR(gpu_vk_result(device, device->vk.vkResetCommandBuffer(slot->own, 0),
                                           "vkResetCommandBuffer"));
    slot->abandoned = false;
    return gpu_vk_result(device, device->vk.vkBeginCommandBuffer(slot->own, &begin),
                         "vkBeginCommandBuffer");
}

/* Ends a recording; drops its unsubmitted part if a call failed. */
static weir_result abandon_recording(gpu_device *device, weir_result result)
{
    gpu_command_slot *slot = device->recording;
    if (result != WEIR_OK) end_exclusive(device, result);
    if (result == WEIR_OK || !slot) return result;
    gpu_trace_cancel();
    device->recording = NULL;
    device->loop_end_pass = NULL;
    clear_recorded_images(device, false);
    abandon_slot(slot);
    return result;
}

static weir_result begin_slot(gpu_device *device)
{
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    WEIR_ASSERT(!device->recording);
    gpu_command_slot *slot = &device->slots[device->next_ticket % GPU_COMMAND_SLOTS];
    if (slot->pending)
        WEIR_RETURN_IF_ERROR(wait_for_ticket(device, slot->ticket, "wait for a slot"));
    bool lent = gpu_submission_is_borrowed(device->submission);
    slot->commands = lent ? device->submission->commands : slot->own;
    slot->done_by_host = false;
    if (!lent) WEIR_RETURN_IF_ERROR(begin_commands(device, slot));
    device->recording = slot;
    device->recorded_ms = 0.0;
    device->elapsed_ms = NULL;
    device->recorded_unmeasured = false;
    gpu_slot_reset_queries(device, slot);
    gpu_barrier_first(device);
    device->record_start_s = gpu_trace_begin("record");
    return WEIR_OK;
}

bool gpu_submission_is_borrowed(const struct weir_vulkan_submit *submission)
{
    return submission && submission->commands;
}

weir_result gpu_record_begin_with(gpu_device *device, const struct weir_vulkan_submit *submission)
{
    WEIR_RETURN_IF_ERROR(begin_exclusive(device));
    device->trace_name = (gpu_trace_name){.text = "work", .recording = ++device->recordings};
    device->submission = submission;
    device->waits = submission != NULL;
    weir_result result = begin_slot(device);
    return result == WEIR_OK ? WEIR_OK : end_exclusive(device, result);
}

weir_result gpu_record_begin(gpu_device *device)
{
    return gpu_record_begin_with(device, NULL);
}

void gpu_record_elapsed(gpu_device *device, double *ms)
{
    device->elapsed_ms = ms;
}

static void fill_semaphores(const weir_vulkan_sync *from, uint32_t count, VkSemaphoreSubmitInfo *to)
{
    for (uint32_t i = 0; i < count; i++)
        to[i] = (VkSemaphoreSubmitInfo){
            .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
            .semaphore = from[i].semaphore,
            .value = from[i].value,
            .stageMask = from[i].stages ? from[i].stages : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        };
}

static VkResult submit_locked(gpu_device *device, const VkSubmitInfo2 *info, VkFence fence)
{
    if (device->lock) device->lock(device->lock_user, true);
    VkResult code = device->vk.vkQueueSubmit2(device->queue, info ? 1 : 0, info, fence);
    if (device->lock) device->lock(device->lock_user, false);
    return code;
}

/* Submits a slot. `last`: the last submission of the recording. */
static weir_result submit_slot(gpu_device *device, gpu_command_slot *slot, bool last)
{
    VkSemaphoreSubmitInfo waits[WEIR_VULKAN_MAX_SYNCS], signals[WEIR_VULKAN_MAX_SYNCS];
    const weir_vulkan_submit *submission = device->submission;
    VkCommandBufferSubmitInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
        .commandBuffer = slot->commands,
    };
    VkSubmitInfo2 info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
        .waitSemaphoreInfoCount = device->waits ? submission->wait_count : 0,
        .pWaitSemaphoreInfos = waits,
        .commandBufferInfoCount = 1,
        .pCommandBufferInfos = &commands,
        .signalSemaphoreInfoCount = submission && last ? submission->signal_count : 0,
        .pSignalSemaphoreInfos = signals,
    };
    if (submission) fill_semaphores(submission->waits, info.waitSemaphoreInfoCount, waits);
    if (submission) fill_semaphores(submission->signals, info.signalSemaphoreInfoCount, signals);
    double start_s = gpu_trace_begin("submit");
    VkResult code = submit_locked(device, &info, slot->fence);
    device->waits = false;
    gpu_trace_submit(device, start_s, slot->trace_name.recording);
    return gpu_vk_result(device, code, "vkQueueSubmit2");
}

static weir_result end_commands_and_submit(gpu_device *device, gpu_command_slot *slot, bool last)
{
    weir_result ended =
        gpu_vk_result(device, device->vk.vkEndCommandBuffer(slot->commands), "vkEndCommandBuffer");
    if (ended == WEIR_OK) return submit_slot(device, slot, last);
    abandon_slot(slot);
    return ended;
}

weir_result gpu_queue_wait(gpu_device *device)
{
    VkFence fence = VK_NULL_HANDLE;
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkCreateFence, &info, device->allocator, &fence));
    weir_result result =
        gpu_vk_result(device, submit_locked(device, NULL, fence), "vkQueueSubmit2");
    if (result == WEIR_OK) result = gpu_fence_wait(device, &fence);
    device->vk.vkDestroyFence(device->handle, fence, device->allocator);
    return result;
}

static weir_result end_and_submit_slot(gpu_device *device, bool last, uint64_t *ticket)
{
    gpu_command_slot *slot = device->recording;
    WEIR_ASSERT(slot);
    gpu_slot_copy_queries(device, slot);
    gpu_barrier_last(device);
    device->recording = NULL;
    clear_recorded_images(device, true);
    slot->trace_name = device->trace_name;
    gpu_trace_sync_clocks(device);
    gpu_trace_cpu(device, "record", device->record_start_s, device->next_ticket);
    if (!gpu_command_slot_is_borrowed(slot))
        WEIR_RETURN_IF_ERROR(end_commands_and_submit(device, slot, last));
    if (last) device->submission = NULL;
    slot->ticket = *ticket = device->next_ticket++;
    slot->pending = true;
    slot->elapsed_ms = device->elapsed_ms;
    return WEIR_OK;
}

weir_result gpu_record_submit(gpu_device *device, uint64_t *ticket)
{
    return end_exclusive(device, end_and_submit_slot(device, true, ticket));
}

weir_result gpu_record_finish(gpu_device *device)
{
    uint64_t ticket;
    WEIR_RETURN_IF_ERROR(gpu_record_submit(device, &ticket));
    return gpu_ticket_wait(device, ticket);
}

void gpu_device_set_yield(gpu_device *device, void (*yield)(void *user), void *user,
                          double slice_ms)
{
    device->yield = yield;
    device->yield_user = user;
    device->submit_budget_ms = yield ? fmin(slice_ms, GPU_SUBMISSION_MS) : GPU_SUBMISSION_MS;
}

/* Exchanges the arguments of parts: the parts of a pass that are still to come need theirs. */
static void swap_part_arguments(gpu_device *device)
{
    gpu_buffer *arguments = device->part_arguments;
    device->part_arguments = device->yield_part_arguments;
    device->yield_part_arguments = arguments;
}

/* Lets the caller record other work between two submissions of a recording. What belongs to the
 * recording is set aside meanwhile; the other work does not yield itself. */
static weir_result yield_device(gpu_device *device, uint64_t ticket)
{
    void (*yield)(void *user) = device->yield;
    const struct weir_vulkan_submit *submission = device->submission;
    const gpu_trace_name name = device->trace_name;
    const gpu_pass *loop_end_pass = device->loop_end_pass;
    double budget_ms = device->submit_budget_ms;
    if (!yield) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(wait_for_ticket(device, ticket, "wait for a slice"));
    device->yield = NULL;
    device->loop_end_pass = NULL;
    device->submit_budget_ms = GPU_SUBMISSION_MS;
    swap_part_arguments(device);
    atomic_store(&device->busy, false);
    yield(device->yield_user);
    swap_part_arguments(device);
    bool free = !atomic_exchange(&device->busy, true);
    WEIR_ASSERT(free);
    device->yield = yield;
    device->submission = submission;
    device->trace_name = name;
    device->loop_end_pass = loop_end_pass;
    device->submit_budget_ms = budget_ms;
    return device->lost == VK_SUCCESS ? WEIR_OK : WEIR_ERROR_DEVICE_LOST;
}

weir_result gpu_record_submit_partial(gpu_device *device)
{
    uint64_t ticket;
    double *elapsed_ms = device->elapsed_ms;
    if (gpu_command_slot_is_borrowed(device->recording)) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(gpu_loop_suspend(device));
    weir_result result = end_and_submit_slot(device, false, &ticket);
    if (result == WEIR_OK) result = yield_device(device, ticket);
    if (result == WEIR_OK) result = begin_slot(device);
    if (result == WEIR_OK) gpu_loop_resume(device);
    device->elapsed_ms = elapsed_ms;
    return result;
}

weir_result gpu_record_copy(gpu_device *device, const gpu_copy *copy)
{
    gpu_order_copy(device, copy->from, false);
    gpu_order_copy(device, copy->to, true);
    VkBufferCopy region = {copy->from_offset, copy->to_offset, copy->size};
    if (copy->size)
        device->vk.vkCmdCopyBuffer(device->recording->commands, copy->from->handle,
                                   copy->to->handle, 1, &region);
    return WEIR_OK;
}

weir_result gpu_record_fill(gpu_device *device, gpu_buffer *buffer, uint32_t word)
{
    gpu_order_copy(device, buffer, true);
    device->vk.vkCmdFillBuffer(device->recording->commands, buffer->handle, 0, VK_WHOLE_SIZE, word);
    return WEIR_OK;
}

void gpu_record_image_copy(gpu_device *device, const gpu_image_copy *copy)
{
    gpu_image *image = copy->image;
    VkImageLayout layout = copy->to_image ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                                          : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    gpu_record_image_order(device, image, layout, copy->to_image);
    gpu_order_copy(device, copy->buffer, !copy->to_image);
    VkBufferImageCopy region = {
        .imageSubresource = {.aspectMask = image->format == GPU_D32 ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                                    : VK_IMAGE_ASPECT_COLOR_BIT,
                             .layerCount = 1},
        .imageOffset = {0, (int32_t)copy->first, 0},
        .imageExtent = {image->width, copy->lines, 1},
    };
    VkCommandBuffer commands = device->recording->commands;
    if (copy->to_image)
        device->vk.vkCmdCopyBufferToImage(commands, copy->buffer->handle, image->handle, layout, 1,
                                          &region);
    else
        device->vk.vkCmdCopyImageToBuffer(commands, image->handle, layout, copy->buffer->handle, 1,
                                          &region);
}

/* ---- passes --------------------------------------------------------------------------------- */

/* A pass with its timestamp. */
typedef struct timed_pass {
    const gpu_pass *pass;
    struct gpu_pass_push push;
    gpu_timestamp stamp;
    bool each; /* every pass of the list is timed */
} timed_pass;

/* Writes the timestamp before a pass; if the device serializes, after all earlier work. */
static void write_start_timestamp(gpu_device *device, gpu_timers *timers)
{
    gpu_timestamp start = {.timers = timers, .pass = GPU_TIMESTAMP_START};
    if (device->serialize) gpu_barrier(device, false, NULL);
    gpu_timestamp_write(device, &start);
}

/* Writes the timestamp that ends the submission's part of a list whose passes are not timed
 * individually. */
static void write_pass_list_timestamp(gpu_device *device, const timed_pass *timed, bool last)
{
    gpu_timestamp stamp = timed->stamp;
    stamp.pass = GPU_TIMESTAMP_PASS_LIST;
    stamp.last = last;
    gpu_timestamp_write(device, &stamp);
}

/* Reports whether the recording may be split. A host may hold the recording back until this call,
 * or later calls, have returned; a split that waits for the recording's own first part would then
 * never end. Half of the slots stay free for what follows. */
static bool may_split(gpu_device *device)
{
    bool held = device->submission && device->submission->wait_count > 0;
    const gpu_command_slot *ahead =
        &device->slots[(device->next_ticket + GPU_COMMAND_SLOTS / 2) % GPU_COMMAND_SLOTS];
    if (gpu_command_slot_is_borrowed(device->recording)) return false;
    return !held || !ahead->pending || gpu_ticket_done(device, ahead->ticket);
}

/* Splits the recording if another `ms` would exceed the budget, or its timestamps would not fit the
 * slot. */
static weir_result split_if_too_long(gpu_device *device, const timed_pass *timed, double ms)
{
    bool long_enough = device->recorded_ms > 0.0 &&
                       device->recorded_ms + ms > device->submit_budget_ms && may_split(device);
    bool full = gpu_timestamps_enabled(device) &&
                device->recording->query_count + 2 > GPU_SLOT_QUERIES && may_split(device);
    if (!long_enough && !full) return WEIR_OK;
    if (!timed->each) write_pass_list_timestamp(device, timed, false);
    WEIR_RETURN_IF_ERROR(gpu_record_submit_partial(device));
    write_start_timestamp(device, timed->stamp.timers);
    /* Drivers that render on the CPU write a timestamp late unless a barrier forces them. */
    gpu_barrier(device, false, NULL);
    return WEIR_OK;
}

static weir_result record_timed_dispatch(gpu_device *device, const timed_pass *timed,
                                         gpu_split_dispatch *pieces, uint32_t piece)
{
    gpu_timestamp stamp = timed->stamp;
    WEIR_RETURN_IF_ERROR(
        split_if_too_long(device, timed, pieces->parts > 1 ? INFINITY : pieces->ms));
    device->recorded_ms += pieces->ms;
    stamp.first = piece == 0;
    stamp.more = piece + 1 < pieces->count;
    stamp.last &= !stamp.more;
    gpu_label_begin(device, stamp.name);
    if (timed->each) gpu_statistics_begin(device);
    WEIR_RETURN_IF_ERROR(gpu_record_dispatch(device, pieces, timed->push, piece));
    if (timed->each) gpu_statistics_end(device);
    if (device->serialize) gpu_barrier(device, false, NULL);
    if (timed->each)
        gpu_timestamp_write(device, &stamp);
    else if (stamp.last)
        write_pass_list_timestamp(device, timed, true);
    gpu_label_end(device);
    return WEIR_OK;
}

static weir_result record_timed_pass(gpu_device *device, const timed_pass *timed)
{
    gpu_split_dispatch pieces;
    double ms = gpu_timers_predict(timed->stamp.timers, timed->stamp.pass, timed->pass);
    WEIR_RETURN_IF_ERROR(gpu_split_dispatch_plan(device, timed->pass, ms, &pieces));
    for (uint32_t piece = 0; piece < pieces.count; piece++)
        WEIR_RETURN_IF_ERROR(record_timed_dispatch(device, timed, &pieces, piece));
    return WEIR_OK;
}

/* Starts a new submission before a list that was never timed, if possible: its duration is unknown,
 * and operating systems reset a device that is busy for two seconds. */
static weir_result submit_before_unmeasured(gpu_device *device, const gpu_timers *timers)
{
    if (!timers || timers->measured) return WEIR_OK;
    bool split = device->recorded_unmeasured && may_split(device);
    device->recorded_unmeasured = true;
    return split ? gpu_record_submit_partial(device) : WEIR_OK;
}

/* Submits what has been recorded, waits for it and calls the host. */
static weir_result record_host_work(gpu_device *device, const timed_pass *timed, bool *ends)
{
    uint64_t ticket;
    const gpu_host_work *host = timed->pass->host;
    double *elapsed_ms = device->elapsed_ms;
    if (gpu_command_slot_is_borrowed(device->recording))
        return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                         "%s is work of the host, for which a host's command buffer cannot wait",
                         host->name);
    if (!timed->each) write_pass_list_timestamp(device, timed, timed->stamp.last);
    WEIR_RETURN_IF_ERROR(gpu_loop_suspend(device));
    WEIR_RETURN_IF_ERROR(end_and_submit_slot(device, false, &ticket));
    WEIR_RETURN_IF_ERROR(wait_for_ticket(device, ticket, "wait for the device"));
    const double start_s = gpu_trace_begin(host->name);
    weir_result worked = host->work(host->user, timed->push.outer, timed->push.inner, ends);
    gpu_trace_cpu(device, host->name, start_s, ticket);
    WEIR_RETURN_IF_ERROR(worked);
    WEIR_RETURN_IF_ERROR(begin_slot(device));
    device->elapsed_ms = elapsed_ms;
    gpu_loop_resume(device);
    write_start_timestamp(device, timed->stamp.timers);
    gpu_barrier(device, false, NULL);
    return WEIR_OK;
}

weir_result gpu_record_passes(gpu_device *device, const gpu_pass *passes, uint32_t count,
                              uint32_t outer, gpu_timers *timers)
{
    weir_result result;
    bool each = gpu_timestamps_per_pass(device, timers);
    WEIR_GOTO_IF_ERROR(submit_before_unmeasured(device, timers));
    if (timers && each) timers->changed = false;
    write_start_timestamp(device, timers);
    const uint32_t call = ++device->calls; /* calls made while yielding also count */
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i + 1;
        while (passes[i].group && end < count && passes[end].group == passes[i].group)
            end++;
        uint32_t repeat = gpu_pass_repetitions(&passes[i]);
        if (passes[i].group) gpu_loop_begin(device, &passes[i], end - i, each);
        bool ends = false;
        for (uint32_t inner = 0; inner < repeat && !ends; inner++)
            for (uint32_t k = i; k < end; k++) {
                timed_pass timed = {
                    .pass = &passes[k],
                    .push = {.outer = outer, .inner = inner},
                    .each = each,
                    .stamp = {.timers = timers,
                              .name =
                                  passes[k].host ? passes[k].host->name : passes[k].pipeline->name,
                              .pass = k,
                              .outer = outer,
                              .inner = inner,
                              .call = call,
                              .ends_loop =
                                  device->loop_end_pass && &passes[k] > device->loop_end_pass,
                              .last = k + 1 == count && inner + 1 == repeat},
                };
                if (passes[k].host)
                    WEIR_GOTO_IF_ERROR(record_host_work(device, &timed, &ends));
                else
                    WEIR_GOTO_IF_ERROR(record_timed_pass(device, &timed));
            }
        WEIR_GOTO_IF_ERROR(gpu_loop_end(device));
        i = end;
    }
fail:
    return abandon_recording(device, result);
}

weir_result gpu_run_passes(gpu_device *device, const gpu_pass *passes, uint32_t count)
{
    WEIR_RETURN_IF_ERROR(gpu_passes_check(device, passes, count));
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(device, passes, count, 0, NULL));
    return gpu_record_finish(device);
}
