/* Waits for fences. Not every driver resets a device that hangs (NVIDIA's does not for compute
 * alone), so no wait lasts for ever. */
#include "gpu_internal.h"

/* Slices are counted instead of reading a clock, which advances while a computer sleeps. */
enum { WAIT_SLICE_S = 10, WAIT_WARN_SLICES = 6, WAIT_MAX_SLICES = 60, WAIT_LONGER_SLICES = 360 };

static bool is_memory_error(VkResult code)
{
    return code == VK_ERROR_OUT_OF_HOST_MEMORY || code == VK_ERROR_OUT_OF_DEVICE_MEMORY;
}

/* Waits for one slice. The caller may then destroy what the device used, so a wait that fails for
 * lack of memory is retried once. */
static VkResult wait_for_slice(gpu_device *device, const VkFence *fence)
{
    const uint64_t ns = WAIT_SLICE_S * (uint64_t)1000000000;
    VkResult code = device->vk.vkWaitForFences(device->handle, 1, fence, VK_TRUE, ns);
    if (!is_memory_error(code)) return code;
    return device->vk.vkWaitForFences(device->handle, 1, fence, VK_TRUE, ns);
}

/* ---- a device that hangs -------------------------------------------------------------------- */

/* The device may still use its objects, and a driver may block while it destroys them: they are
 * left to the operating system, which frees them when the process ends. */
#define LEFT_OBJECTS(LEAVE)    \
    LEAVE(Buffer)              \
    LEAVE(BufferView)          \
    LEAVE(CommandPool)         \
    LEAVE(DescriptorPool)      \
    LEAVE(DescriptorSetLayout) \
    LEAVE(Fence)               \
    LEAVE(Image)               \
    LEAVE(ImageView)           \
    LEAVE(Pipeline)            \
    LEAVE(PipelineCache)       \
    LEAVE(PipelineLayout)      \
    LEAVE(QueryPool)           \
    LEAVE(Semaphore)           \
    LEAVE(ShaderModule)        \
    LEAVE(SwapchainKHR)

#define DEFINE_LEAVE(type)                                                   \
    static void VKAPI_CALL leave_##type(VkDevice of, Vk##type handle,        \
                                        const VkAllocationCallbacks *memory) \
    {                                                                        \
        (void)of, (void)handle, (void)memory;                                \
    }
LEFT_OBJECTS(DEFINE_LEAVE)

static void VKAPI_CALL leave_memory(VkDevice of, VkDeviceMemory handle,
                                    const VkAllocationCallbacks *memory)
{
    (void)of, (void)handle, (void)memory;
}

static void VKAPI_CALL leave_device(VkDevice of, const VkAllocationCallbacks *memory)
{
    (void)of, (void)memory;
}

static void leave_objects(gpu_device *device)
{
#define USE_LEAVE(type) device->vk.vkDestroy##type = leave_##type;
    LEFT_OBJECTS(USE_LEAVE)
    device->vk.vkFreeMemory = leave_memory;
    device->vk.vkDestroyDevice = leave_device;
    device->instance.calls.destroy_instance = NULL;
}

/* ---- waiting -------------------------------------------------------------------------------- */

weir_result gpu_fence_wait(gpu_device *device, const VkFence *fence)
{
    const int most = device->waits_longer ? WAIT_LONGER_SLICES : WAIT_MAX_SLICES;
    VkResult code = VK_TIMEOUT;
    for (int slice = 1; code == VK_TIMEOUT; slice++) {
        code = wait_for_slice(device, fence);
        if (code == VK_TIMEOUT && slice == WAIT_WARN_SLICES)
            base_log(&device->log, WEIR_LOG_WARNING,
                     "the device %s has not finished a submission for %d s; if it does not within "
                     "%d s, it counts as lost",
                     device->info.name, slice * WAIT_SLICE_S, most * WAIT_SLICE_S);
        if (code != VK_TIMEOUT || slice < most) continue;
        leave_objects(device);
        code = VK_ERROR_DEVICE_LOST;
    }
    return gpu_vk_result(device, code, "vkWaitForFences");
}
