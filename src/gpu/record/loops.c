/* Loops: groups that one of their passes can end. The recorder records all repetitions; those after
 * the end are empty. For timers and traces the device copies, after each loop, the repetition in
 * which it ended. */
#include "gpu_internal.h"
#include "shared/pass.h"

void gpu_loop_begin(gpu_device *device, const gpu_pass *passes, uint32_t count, bool stamped)
{
    device->loop_end_pass = NULL;
    for (uint32_t i = 0; i < count && stamped; i++)
        if (passes[i].loop) device->loop_end_pass = &passes[i];
    gpu_loop_resume(device);
}

void gpu_loop_resume(gpu_device *device)
{
    gpu_command_slot *slot = device->recording;
    bool counted = device->loop_end_pass && slot->loops && !gpu_command_slot_is_borrowed(slot);
    device->loop = counted ? ++slot->loop_count : 0;
}

weir_result gpu_loop_suspend(gpu_device *device)
{
    if (device->loop == 0) return WEIR_OK;
    const gpu_pass *pass = device->loop_end_pass;
    const gpu_copy copy = {.from = pass->loop,
                           .from_offset = pass->loop_offset + offsetof(struct gpu_loop, ended),
                           .to = device->recording->loops,
                           .to_offset = 4ull * (device->loop - 1),
                           .size = 4};
    device->loop = 0;
    return gpu_record_copy(device, &copy);
}

weir_result gpu_loop_end(gpu_device *device)
{
    weir_result result = gpu_loop_suspend(device);
    device->loop_end_pass = NULL;
    return result;
}

bool gpu_loop_pass_ran(const gpu_command_slot *slot, const gpu_timestamp *stamp)
{
    if (stamp->loop == 0) return true;
    uint32_t ended = ((const uint32_t *)slot->loops->mapped)[stamp->loop - 1];
    return stamp->ends_loop ? stamp->inner < ended : stamp->inner <= ended;
}
