/* The recorder: rows become dispatches with the barriers that their declarations ask for, in as few
 * submissions as the budget allows (GPU_SUBMISSION_MS). What takes longer by itself goes in
 * pieces: pieces.c. */
#include "gpu_adopt.h"
#include "gpu_internal.h"
#include "shared/row.h"

/* ---- slots and tickets ---------------------------------------------------------------------- */

static weir_result create_slot(gpu_device *device, gpu_slot *slot)
{
    VkCommandBufferAllocateInfo commands = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
        .commandPool = device->command_pool,
        .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
        .commandBufferCount = 1,
    };
    WEIR_NEED(GPU_VK(device, vkAllocateCommandBuffers, &commands, &slot->own));
    slot->commands = slot->own;
    VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    WEIR_NEED(GPU_VK(device, vkCreateFence, &fence, device->allocator, &slot->fence));
    return gpu_slot_create_queries(device, slot);
}

weir_result gpu_slots_create(gpu_device *device)
{
    VkCommandPoolCreateInfo pool = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
        .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
        .queueFamilyIndex = device->queue_family,
    };
    WEIR_NEED(GPU_VK(device, vkCreateCommandPool, &pool, device->allocator, &device->command_pool));
    for (uint32_t i = 0; i < GPU_SLOTS; i++)
        WEIR_NEED(create_slot(device, &device->slots[i]));
    return WEIR_OK;
}

void gpu_slots_destroy(gpu_device *device)
{
    for (uint32_t i = 0; i < GPU_SLOTS; i++) {
        device->vk.vkDestroyFence(device->handle, device->slots[i].fence, device->allocator);
        gpu_slot_destroy_queries(device, &device->slots[i]);
    }
    device->vk.vkDestroyCommandPool(device->handle, device->command_pool, device->allocator);
}

/* What follows a wait may destroy what the device uses: one that failed for want of memory is tried
 * once more. */
static weir_result wait_for_fence(gpu_device *device, const VkFence *fence)
{
    VkResult code = VK_SUCCESS;
    for (int attempt = 0; attempt < 2; attempt++) {
        code = device->vk.vkWaitForFences(device->handle, 1, fence, VK_TRUE, UINT64_MAX);
        if (code != VK_ERROR_OUT_OF_HOST_MEMORY && code != VK_ERROR_OUT_OF_DEVICE_MEMORY) break;
    }
    return gpu_vk_result(device, code, "vkWaitForFences");
}

bool gpu_slot_lent(const gpu_slot *slot)
{
    return slot->commands != slot->own;
}

/* A host's command buffer has the host's fence: one of Weir's behind it tells as much. */
static weir_result wait_for_slot(gpu_device *device, gpu_slot *slot)
{
    if (!gpu_slot_lent(slot)) return wait_for_fence(device, &slot->fence);
    return slot->known_done ? WEIR_OK : gpu_queue_wait(device);
}

static weir_result finish_slot(gpu_device *device, gpu_slot *slot)
{
    double cpu_s = base_cpu_time_s();
    WEIR_NEED(wait_for_slot(device, slot));
    device->waited_cpu_s += base_cpu_time_s() - cpu_s;
    gpu_timers_collect(device, slot);
    if (!gpu_slot_lent(slot)) WEIR_NEED(GPU_VK(device, vkResetFences, 1, &slot->fence));
    slot->pending = false;
    return WEIR_OK;
}

void gpu_commands_finished(gpu_device *device, VkCommandBuffer commands)
{
    uint64_t last = 0;
    for (uint32_t i = 0; i < GPU_SLOTS; i++) {
        const gpu_slot *slot = &device->slots[i];
        if (slot->pending && slot->commands == commands && slot->ticket > last) last = slot->ticket;
    }
    for (uint32_t i = 0; i < GPU_SLOTS; i++)
        if (device->slots[i].ticket <= last) device->slots[i].known_done = true;
}

bool gpu_ticket_done(gpu_device *device, uint64_t ticket)
{
    const gpu_slot *slot = &device->slots[ticket % GPU_SLOTS];
    if (slot->ticket != ticket || !slot->pending) return true;
    if (gpu_slot_lent(slot)) return slot->known_done;
    /* True of a lost device too: waiting for the ticket then reports the loss. */
    return device->vk.vkGetFenceStatus(device->handle, slot->fence) != VK_NOT_READY;
}

/* `why`: what a trace calls it. */
static weir_result wait_until(gpu_device *device, uint64_t ticket, const char *why)
{
    double start_s = base_time_s();
    if (device->lost != VK_SUCCESS) return WEIR_DEVICE_LOST;
    bool waits = device->trace && !gpu_ticket_done(device, ticket);
    /* In order: timings are collected as frames finish, and one queue finishes in order. */
    for (uint64_t t = ticket >= GPU_SLOTS ? ticket - GPU_SLOTS + 1 : 1; t <= ticket; t++) {
        gpu_slot *slot = &device->slots[t % GPU_SLOTS];
        if (slot->ticket == t && slot->pending) WEIR_NEED(finish_slot(device, slot));
    }
    if (waits) gpu_trace_cpu(device, why, start_s, ticket);
    return WEIR_OK;
}

weir_result gpu_ticket_wait(gpu_device *device, uint64_t ticket)
{
    return wait_until(device, ticket, "wait");
}

/* ---- recording ------------------------------------------------------------------------------ */

/* `kept`: false for a recording that was given up, which leaves the contents undefined. */
static void forget_images(gpu_device *device, bool kept)
{
    for (gpu_image *image = device->recorded_images; image; image = image->next_recorded) {
        image->recorded = false;
        if (!kept) image->layout = image->lent ? image->home : VK_IMAGE_LAYOUT_UNDEFINED;
    }
    device->recorded_images = NULL;
}

/* Each recording has the device for itself: others cannot come from the same thread. */
static weir_result enter(gpu_device *device)
{
    if (!atomic_exchange(&device->busy, true)) return WEIR_OK;
    return base_fail(&device->log, WEIR_ARGUMENT,
                     "two threads use one device at once: calls for a device, and for all that was "
                     "made from it, must come one after the other");
}

static weir_result leave(gpu_device *device, weir_result result)
{
    atomic_store(&device->busy, false);
    return result;
}

static void drop(gpu_slot *slot)
{
    slot->query_count = 0; /* the next recording resets the queries */
    slot->given_up |= !gpu_slot_lent(slot);
}

static weir_result begin_commands(gpu_device *device, gpu_slot *slot)
{
    VkCommandBufferBeginInfo begin = {
        .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
        .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT,
    };
    if (slot->given_up)
        WEIR_NEED(gpu_vk_result(device, device->vk.vkResetCommandBuffer(slot->own, 0),
                                "vkResetCommandBuffer"));
    slot->given_up = false;
    return gpu_vk_result(device, device->vk.vkBeginCommandBuffer(slot->own, &begin),
                         "vkBeginCommandBuffer");
}

/* Ends a recording that failed. */
static weir_result give_up(gpu_device *device, weir_result result)
{
    gpu_slot *slot = device->recording;
    if (result != WEIR_OK) leave(device, result);
    if (result == WEIR_OK || !slot) return result;
    device->recording = NULL;
    device->loop_row = NULL;
    forget_images(device, false);
    drop(slot);
    return result;
}

static weir_result begin_slot(gpu_device *device)
{
    if (device->lost != VK_SUCCESS) return WEIR_DEVICE_LOST;
    WEIR_ASSERT(!device->recording);
    gpu_slot *slot = &device->slots[device->next_ticket % GPU_SLOTS];
    if (slot->pending) WEIR_NEED(wait_until(device, slot->ticket, "wait for a slot"));
    bool lent = gpu_submission_lent(device->submission);
    slot->commands = lent ? device->submission->commands : slot->own;
    slot->known_done = false;
    if (!lent) WEIR_NEED(begin_commands(device, slot));
    device->recording = slot;
    device->recorded_ms = 0.0;
    device->elapsed_ms = NULL;
    device->recorded_unmeasured = false;
    gpu_slot_reset_queries(device, slot);
    gpu_barrier_first(device);
    device->record_start_s = base_time_s();
    return WEIR_OK;
}

bool gpu_submission_lent(const struct weir_vulkan_submit *submission)
{
    return submission && submission->commands;
}

weir_result gpu_record_begin_with(gpu_device *device, const struct weir_vulkan_submit *submission)
{
    WEIR_NEED(enter(device));
    device->title = (gpu_title){.text = "work", .recording = ++device->recordings};
    device->submission = submission;
    device->waits = submission != NULL;
    weir_result result = begin_slot(device);
    return result == WEIR_OK ? WEIR_OK : leave(device, result);
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

/* `last`: of the recording. */
static weir_result submit(gpu_device *device, gpu_slot *slot, bool last)
{
    VkSemaphoreSubmitInfo waits[WEIR_VULKAN_SYNCS], signals[WEIR_VULKAN_SYNCS];
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
    double start_s = base_time_s();
    VkResult code = submit_locked(device, &info, slot->fence);
    device->waits = false;
    WEIR_NEED(gpu_vk_result(device, code, "vkQueueSubmit2"));
    gpu_trace_cpu(device, "submit", start_s, device->next_ticket);
    return WEIR_OK;
}

static weir_result end_and_submit(gpu_device *device, gpu_slot *slot, bool last)
{
    weir_result ended =
        gpu_vk_result(device, device->vk.vkEndCommandBuffer(slot->commands), "vkEndCommandBuffer");
    if (ended == WEIR_OK) return submit(device, slot, last);
    drop(slot);
    return ended;
}

weir_result gpu_queue_wait(gpu_device *device)
{
    VkFence fence = VK_NULL_HANDLE;
    VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    if (device->lost != VK_SUCCESS) return WEIR_DEVICE_LOST;
    WEIR_NEED(GPU_VK(device, vkCreateFence, &info, device->allocator, &fence));
    weir_result result =
        gpu_vk_result(device, submit_locked(device, NULL, fence), "vkQueueSubmit2");
    if (result == WEIR_OK) result = wait_for_fence(device, &fence);
    device->vk.vkDestroyFence(device->handle, fence, device->allocator);
    return result;
}

static weir_result end_slot(gpu_device *device, bool last, uint64_t *ticket)
{
    gpu_slot *slot = device->recording;
    WEIR_ASSERT(slot);
    gpu_slot_copy_queries(device, slot);
    gpu_barrier_last(device);
    device->recording = NULL;
    forget_images(device, true);
    slot->title = device->title;
    gpu_trace_tick(device);
    gpu_trace_cpu(device, "record", device->record_start_s, device->next_ticket);
    if (!gpu_slot_lent(slot)) WEIR_NEED(end_and_submit(device, slot, last));
    if (last) device->submission = NULL;
    slot->ticket = *ticket = device->next_ticket++;
    slot->pending = true;
    slot->elapsed_ms = device->elapsed_ms;
    return WEIR_OK;
}

weir_result gpu_record_submit(gpu_device *device, uint64_t *ticket)
{
    return leave(device, end_slot(device, true, ticket));
}

weir_result gpu_record_finish(gpu_device *device)
{
    uint64_t ticket;
    WEIR_NEED(gpu_record_submit(device, &ticket));
    return gpu_ticket_wait(device, ticket);
}

weir_result gpu_record_split(gpu_device *device)
{
    uint64_t ticket;
    double *elapsed_ms = device->elapsed_ms;
    if (gpu_slot_lent(device->recording)) return WEIR_OK;
    WEIR_NEED(gpu_loop_leave(device));
    weir_result result = end_slot(device, false, &ticket);
    if (result == WEIR_OK) result = begin_slot(device);
    if (result == WEIR_OK) gpu_loop_enter(device);
    device->elapsed_ms = elapsed_ms;
    return result;
}

weir_result gpu_record_copy(gpu_device *device, const gpu_copy *copy)
{
    if (gpu_conflicts(device, copy->from, false) || gpu_conflicts(device, copy->to, true))
        gpu_barrier(device, false, NULL);
    gpu_touch(device, copy->from, true, false);
    gpu_touch(device, copy->to, false, true);
    VkBufferCopy region = {copy->from_offset, copy->to_offset, copy->size};
    if (copy->size)
        device->vk.vkCmdCopyBuffer(device->recording->commands, copy->from->handle,
                                   copy->to->handle, 1, &region);
    return WEIR_OK;
}

weir_result gpu_record_fill(gpu_device *device, gpu_buffer *buffer, uint32_t word)
{
    if (gpu_conflicts(device, buffer, true)) gpu_barrier(device, false, NULL);
    gpu_touch(device, buffer, false, true);
    device->vk.vkCmdFillBuffer(device->recording->commands, buffer->handle, 0, VK_WHOLE_SIZE, word);
    return WEIR_OK;
}

void gpu_record_image_copy(gpu_device *device, const gpu_image_copy *copy)
{
    gpu_image *image = copy->image;
    VkImageLayout layout = copy->to_image ? VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL
                                          : VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL;
    if (gpu_conflicts(device, copy->buffer, !copy->to_image)) gpu_barrier(device, false, NULL);
    gpu_record_image_order(device, image, layout, copy->to_image);
    gpu_touch(device, copy->buffer, copy->to_image, !copy->to_image);
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

/* ---- rows ----------------------------------------------------------------------------------- */

/* One row: its stamp, and what it is stamped for. */
typedef struct timed_row {
    const gpu_row *row;
    struct gpu_row_push push;
    gpu_stamp stamp;
    bool each; /* every row of the table is stamped */
} timed_row;

/* Starts the time of the row that follows: nothing recorded before still runs when the device
 * serializes. */
static void stamp_start(gpu_device *device, gpu_timers *timers)
{
    gpu_stamp start = {.timers = timers, .row = GPU_STAMP_START};
    if (device->serialize) gpu_barrier(device, false, NULL);
    gpu_stamp_write(device, &start);
}

/* Ends the time of what the submission has of the table, whose rows have no stamps of their own. */
static void stamp_table(gpu_device *device, const timed_row *timed, bool last)
{
    gpu_stamp stamp = timed->stamp;
    stamp.row = GPU_STAMP_TABLE;
    stamp.last = last;
    gpu_stamp_write(device, &stamp);
}

/* A host that holds the recording back may go on only after the call, or after calls that follow: a
 * split that waits for the recording's own first part would never end. Half of the slots stay free
 * for what follows. */
static bool may_split(gpu_device *device)
{
    bool held = device->submission && device->submission->wait_count > 0;
    const gpu_slot *ahead = &device->slots[(device->next_ticket + GPU_SLOTS / 2) % GPU_SLOTS];
    if (gpu_slot_lent(device->recording)) return false;
    return !held || !ahead->pending || gpu_ticket_done(device, ahead->ticket);
}

/* The recording is split where the next `ms` would make it too long, or its stamps too many. */
static weir_result make_room(gpu_device *device, const timed_row *timed, double ms)
{
    bool long_enough = device->recorded_ms > 0.0 &&
                       device->recorded_ms + ms > device->submit_budget_ms && may_split(device);
    bool full = gpu_stamp_wants(device) && device->recording->query_count + 2 > GPU_SLOT_QUERIES &&
                may_split(device);
    if (!long_enough && !full) return WEIR_OK;
    if (!timed->each) stamp_table(device, timed, false);
    WEIR_NEED(gpu_record_split(device));
    stamp_start(device, timed->stamp.timers);
    /* Drivers that draw on the CPU take a stamp late, unless a barrier makes them. */
    gpu_barrier(device, false, NULL);
    return WEIR_OK;
}

static weir_result record_piece(gpu_device *device, const timed_row *timed, gpu_pieces *pieces,
                                uint32_t piece)
{
    gpu_stamp stamp = timed->stamp;
    WEIR_NEED(make_room(device, timed, pieces->parts > 1 ? INFINITY : pieces->ms));
    device->recorded_ms += pieces->ms;
    stamp.first = piece == 0;
    stamp.more = piece + 1 < pieces->count;
    stamp.last &= !stamp.more;
    gpu_label_begin(device, stamp.name);
    if (timed->each) gpu_statistics_begin(device);
    WEIR_NEED(gpu_record_piece(device, pieces, timed->push, piece));
    if (timed->each) gpu_statistics_end(device);
    if (device->serialize) gpu_barrier(device, false, NULL);
    if (timed->each)
        gpu_stamp_write(device, &stamp);
    else if (stamp.last)
        stamp_table(device, timed, true);
    gpu_label_end(device);
    return WEIR_OK;
}

static weir_result record_timed(gpu_device *device, const timed_row *timed)
{
    gpu_pieces pieces;
    double ms = gpu_timers_expect(timed->stamp.timers, timed->stamp.row, timed->row);
    WEIR_NEED(gpu_pieces_make(device, timed->row, ms, &pieces));
    for (uint32_t piece = 0; piece < pieces.count; piece++)
        WEIR_NEED(record_piece(device, timed, &pieces, piece));
    return WEIR_OK;
}

/* A table that was never timed gets a submission of its own, where there is room: nobody knows how
 * long it takes, and systems reset a device that is busy for two seconds. */
static weir_result separate_unmeasured(gpu_device *device, const gpu_timers *timers)
{
    if (!timers || timers->measured) return WEIR_OK;
    bool split = device->recorded_unmeasured && may_split(device);
    device->recorded_unmeasured = true;
    return split ? gpu_record_split(device) : WEIR_OK;
}

weir_result gpu_record_rows(gpu_device *device, const gpu_row *rows, uint32_t count, uint32_t outer,
                            gpu_timers *timers)
{
    weir_result result;
    bool each = gpu_stamp_each(device, timers);
    WEIR_TRY(separate_unmeasured(device, timers));
    if (timers && each) timers->changed = false;
    stamp_start(device, timers);
    device->calls++;
    for (uint32_t i = 0; i < count;) {
        uint32_t end = i + 1;
        while (rows[i].group && end < count && rows[end].group == rows[i].group)
            end++;
        uint32_t repeat = rows[i].group ? rows[i].repeat : 1;
        if (rows[i].group) gpu_loop_begin(device, &rows[i], end - i, each);
        for (uint32_t inner = 0; inner < repeat; inner++)
            for (uint32_t k = i; k < end; k++) {
                timed_row timed = {
                    .row = &rows[k],
                    .push = {.outer = outer, .inner = inner},
                    .each = each,
                    .stamp = {.timers = timers,
                              .name = rows[k].kernel->name,
                              .row = k,
                              .outer = outer,
                              .inner = inner,
                              .call = device->calls,
                              .behind = device->loop_row && &rows[k] > device->loop_row,
                              .last = k + 1 == count && inner + 1 == repeat},
                };
                WEIR_TRY(record_timed(device, &timed));
            }
        WEIR_TRY(gpu_loop_end(device));
        i = end;
    }
fail:
    return give_up(device, result);
}

weir_result gpu_run_rows(gpu_device *device, const gpu_row *rows, uint32_t count)
{
    WEIR_NEED(gpu_table_check(device, rows, count));
    WEIR_NEED(gpu_record_begin(device));
    WEIR_NEED(gpu_record_rows(device, rows, count, 0, NULL));
    return gpu_record_finish(device);
}
