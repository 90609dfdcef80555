/* A Vulkan layer that loses the device, for tests: LOSE_AT names the call, "submit", "wait" or
 * "present", that fails from its LOSE_AFTER-th time on; from then on the whole device is lost, as
 * with a real driver. From the call on that LOSE_AFTER counts, and without a call that fails,
 * kernels do nothing by "dispatch", half of their workgroups by "half", and everything twice by
 * "twice". When a device is destroyed, the number of these calls goes into the file LOSE_COUNT. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "vulkan_layer.h"

static uint32_t calls;
static bool lost;

/* Does this call lose the device, or is it lost? A lost device works on nothing any more. */
static bool loses(const char *call)
{
    const char *at = getenv("LOSE_AT"), *after = getenv("LOSE_AFTER");
    if (lost || !at || strcmp(at, call) != 0) return lost;
    if (++calls < (after ? (uint32_t)atoi(after) : UINT32_MAX)) return false;
    NEXT(vkDeviceWaitIdle)(device);
    return lost = true;
}

static VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo2 *infos,
                                        VkFence fence)
{
    if (loses("submit")) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkQueueSubmit2)(queue, count, infos, fence);
}

static VkResult VKAPI_CALL wait_for_fences(VkDevice of, uint32_t count, const VkFence *fences,
                                           VkBool32 all, uint64_t patience)
{
    if (loses("wait")) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkWaitForFences)(of, count, fences, all, patience);
}

static VkResult VKAPI_CALL fence_status(VkDevice of, VkFence fence)
{
    if (loses("status")) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkGetFenceStatus)(of, fence);
}

static VkResult VKAPI_CALL device_idle(VkDevice of)
{
    if (loses("idle")) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkDeviceWaitIdle)(of);
}

static VkResult VKAPI_CALL queue_idle(VkQueue queue)
{
    if (loses("idle")) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkQueueWaitIdle)(queue);
}

static VkResult VKAPI_CALL queue_present(VkQueue queue, const VkPresentInfoKHR *info)
{
    if (loses("present")) return VK_ERROR_DEVICE_LOST;
    return NEXT(vkQueuePresentKHR)(queue, info);
}

static void VKAPI_CALL destroy_device(VkDevice of, const VkAllocationCallbacks *memory)
{
    layer_tell("LOSE_COUNT", calls);
    NEXT(vkDestroyDevice)(of, memory);
}

/* ---- a device that computes nothing, or wrongly -----------------------------------------------
 */

/* How often this dispatch is made, and its workgroups along x. */
static uint32_t times(uint32_t *x)
{
    const char *at = getenv("LOSE_AT"), *after = getenv("LOSE_AFTER");
    if (!at || !after) return 1;
    bool idle = strcmp(at, "dispatch") == 0, half = strcmp(at, "half") == 0,
         twice = strcmp(at, "twice") == 0;
    if (!(idle || half || twice) || ++calls < (uint32_t)atoi(after)) return 1;
    if (half) *x /= 2;
    return idle ? 0 : twice ? 2 : 1;
}

static void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    for (uint32_t left = times(&x); left > 0; left--)
        NEXT(vkCmdDispatch)(commands, x, y, z);
}

static void VKAPI_CALL dispatch_indirect(VkCommandBuffer commands, VkBuffer buffer,
                                         VkDeviceSize offset)
{
    uint32_t x = 0; /* of these the buffer has the workgroups */
    for (uint32_t left = times(&x); left > 0; left--)
        NEXT(vkCmdDispatchIndirect)(commands, buffer, offset);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
        {"vkQueueSubmit2", (PFN_vkVoidFunction)queue_submit},
        {"vkWaitForFences", (PFN_vkVoidFunction)wait_for_fences},
        {"vkGetFenceStatus", (PFN_vkVoidFunction)fence_status},
        {"vkDeviceWaitIdle", (PFN_vkVoidFunction)device_idle},
        {"vkQueueWaitIdle", (PFN_vkVoidFunction)queue_idle},
        {"vkQueuePresentKHR", (PFN_vkVoidFunction)queue_present},
        {"vkCmdDispatch", (PFN_vkVoidFunction)dispatch},
        {"vkCmdDispatchIndirect", (PFN_vkVoidFunction)dispatch_indirect},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
