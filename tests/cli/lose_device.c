/* A Vulkan layer that loses the device, for tests: LOSE_AT names the call, "submit", "wait" or
 * "present", that fails from its LOSE_AFTER-th time on; from then on the whole device is lost, as
 * with a real driver. "dispatch": from then on kernels do nothing, and no call fails. When a device
 * is destroyed, the number of these calls goes into the file LOSE_COUNT. */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

#define EXPORT __attribute__((visibility("default")))

/* One instance and one device at a time are all that a test has. */
static PFN_vkGetInstanceProcAddr next_instance_call;
static PFN_vkGetDeviceProcAddr next_device_call;
static VkInstance instance;
static VkDevice device;
static uint32_t calls;
static bool lost;

#define NEXT(type, name) ((type)next_device_call(device, name))

/* Does this call lose the device, or is it lost? A lost device works on nothing any more. */
static bool loses(const char *call)
{
    const char *at = getenv("LOSE_AT"), *after = getenv("LOSE_AFTER");
    if (lost || !at || strcmp(at, call) != 0) return lost;
    if (++calls < (after ? (uint32_t)atoi(after) : UINT32_MAX)) return false;
    NEXT(PFN_vkDeviceWaitIdle, "vkDeviceWaitIdle")(device);
    return lost = true;
}

static VkResult VKAPI_CALL queue_submit(VkQueue queue, uint32_t count, const VkSubmitInfo *infos,
                                        VkFence fence)
{
    if (loses("submit")) return VK_ERROR_DEVICE_LOST;
    return NEXT(PFN_vkQueueSubmit, "vkQueueSubmit")(queue, count, infos, fence);
}

static VkResult VKAPI_CALL wait_for_fences(VkDevice of, uint32_t count, const VkFence *fences,
                                           VkBool32 all, uint64_t patience)
{
    if (loses("wait")) return VK_ERROR_DEVICE_LOST;
    return NEXT(PFN_vkWaitForFences, "vkWaitForFences")(of, count, fences, all, patience);
}

static VkResult VKAPI_CALL fence_status(VkDevice of, VkFence fence)
{
    if (loses("status")) return VK_ERROR_DEVICE_LOST;
    return NEXT(PFN_vkGetFenceStatus, "vkGetFenceStatus")(of, fence);
}

static VkResult VKAPI_CALL device_idle(VkDevice of)
{
    if (loses("idle")) return VK_ERROR_DEVICE_LOST;
    return NEXT(PFN_vkDeviceWaitIdle, "vkDeviceWaitIdle")(of);
}

static VkResult VKAPI_CALL queue_idle(VkQueue queue)
{
    if (loses("idle")) return VK_ERROR_DEVICE_LOST;
    return NEXT(PFN_vkQueueWaitIdle, "vkQueueWaitIdle")(queue);
}

static VkResult VKAPI_CALL queue_present(VkQueue queue, const VkPresentInfoKHR *info)
{
    if (loses("present")) return VK_ERROR_DEVICE_LOST;
    return NEXT(PFN_vkQueuePresentKHR, "vkQueuePresentKHR")(queue, info);
}

static void VKAPI_CALL destroy_device(VkDevice of, const VkAllocationCallbacks *memory)
{
    const char *path = getenv("LOSE_COUNT");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (file) {
        fprintf(file, "%u\n", calls);
        fclose(file);
    }
    NEXT(PFN_vkDestroyDevice, "vkDestroyDevice")(of, memory);
}

/* ---- a device that computes nothing --------------------------------------------------------- */

static bool idles(void)
{
    const char *at = getenv("LOSE_AT"), *after = getenv("LOSE_AFTER");
    return at && after && strcmp(at, "dispatch") == 0 && ++calls >= (uint32_t)atoi(after);
}

static void VKAPI_CALL dispatch(VkCommandBuffer commands, uint32_t x, uint32_t y, uint32_t z)
{
    if (!idles()) NEXT(PFN_vkCmdDispatch, "vkCmdDispatch")(commands, x, y, z);
}

static void VKAPI_CALL dispatch_indirect(VkCommandBuffer commands, VkBuffer buffer,
                                         VkDeviceSize offset)
{
    if (!idles())
        NEXT(PFN_vkCmdDispatchIndirect, "vkCmdDispatchIndirect")(commands, buffer, offset);
}

/* ---- what the loader asks ------------------------------------------------------------------- */

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *memory, VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    next_instance_call = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result =
        ((PFN_vkCreateInstance)next_instance_call(NULL, "vkCreateInstance"))(info, memory, out);
    instance = *out;
    return result;
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)(uintptr_t)link->pNext;
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
        instance, "vkCreateDevice");
    next_device_call = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = create(physical, info, memory, out);
    device = *out;
    return result;
}

static PFN_vkVoidFunction VKAPI_CALL device_call(VkDevice of, const char *name);
static PFN_vkVoidFunction VKAPI_CALL instance_call(VkInstance of, const char *name);

static PFN_vkVoidFunction find(const char *name)
{
    static const struct {
        const char *name;
        PFN_vkVoidFunction call;
    } ours[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)instance_call},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)device_call},
        {"vkQueueSubmit", (PFN_vkVoidFunction)queue_submit},
        {"vkWaitForFences", (PFN_vkVoidFunction)wait_for_fences},
        {"vkGetFenceStatus", (PFN_vkVoidFunction)fence_status},
        {"vkDeviceWaitIdle", (PFN_vkVoidFunction)device_idle},
        {"vkQueueWaitIdle", (PFN_vkVoidFunction)queue_idle},
        {"vkQueuePresentKHR", (PFN_vkVoidFunction)queue_present},
        {"vkCmdDispatch", (PFN_vkVoidFunction)dispatch},
        {"vkCmdDispatchIndirect", (PFN_vkVoidFunction)dispatch_indirect},
    };
    for (size_t i = 0; i < sizeof ours / sizeof *ours; i++)
        if (strcmp(ours[i].name, name) == 0) return ours[i].call;
    return NULL;
}

static PFN_vkVoidFunction VKAPI_CALL device_call(VkDevice of, const char *name)
{
    PFN_vkVoidFunction call = find(name);
    return call ? call : next_device_call(of, name);
}

static PFN_vkVoidFunction VKAPI_CALL instance_call(VkInstance of, const char *name)
{
    PFN_vkVoidFunction call = find(name);
    return call ? call : next_instance_call(of, name);
}

EXPORT VkResult vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *with)
{
    with->loaderLayerInterfaceVersion = 2;
    with->pfnGetInstanceProcAddr = instance_call;
    with->pfnGetDeviceProcAddr = device_call;
    with->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}
