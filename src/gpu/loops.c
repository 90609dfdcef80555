/* Loops: groups that one of their rows can end. The recorder records all repetitions; those behind
 * the end are empty. For timers and traces the device copies, behind each loop, the repetition in
 * which it ended. */
#include "gpu_internal.h"
#include "shared/row.h"

void gpu_loop_begin(gpu_device *device, const gpu_row *rows, uint32_t count, bool stamped)
{
    device->loop_row = NULL;
    for (uint32_t i = 0; i < count && stamped; i++)
        if (rows[i].loop) device->loop_row = &rows[i];
    gpu_loop_enter(device);
}

void gpu_loop_enter(gpu_device *device)
{
    gpu_slot *slot = device->recording;
    bool counted = device->loop_row && slot->loops && !gpu_slot_lent(slot);
    device->loop = counted ? ++slot->loop_count : 0;
}

weir_result gpu_loop_leave(gpu_device *device)
{
    if (device->loop == 0) return WEIR_OK;
    const gpu_row *row = device->loop_row;
    const gpu_copy copy = {.from = row->loop,
                           .from_offset = row->loop_offset + offsetof(struct gpu_loop, ended),
                           .to = device->recording->loops,
                           .to_offset = 4ull * (device->loop - 1),
                           .size = 4};
    device->loop = 0;
    return gpu_record_copy(device, &copy);
}

weir_result gpu_loop_end(gpu_device *device)
{
    weir_result result = gpu_loop_leave(device);
    device->loop_row = NULL;
    return result;
}

bool gpu_loop_ran(const gpu_slot *slot, const gpu_stamp *stamp)
{
    if (stamp->loop == 0) return true;
    uint32_t ended = ((const uint32_t *)slot->loops->mapped)[stamp->loop - 1];
    return stamp->behind ? stamp->inner < ended : stamp->inner <= ended;
}
