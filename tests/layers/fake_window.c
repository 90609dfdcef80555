/* A Vulkan layer with a window that is not there, for tests/kernel/gpu/test_windows.c: a surface
 * and swapchains whose images are the driver's, in memory that the layer can read: a driver for the
 * CPU keeps the first pixel first. */
#include <stdlib.h>

#include "fake_window.h"
#include "vulkan_layer.h"

#define IMAGES 16u
#define HANDLE(type, place) ((type)(uintptr_t)(place))

__attribute__((visibility("default"))) fake_window fake_window_state;

typedef struct fake_image {
    VkImage image;
    VkDeviceMemory memory;
} fake_image;

typedef struct fake_swapchain {
    fake_image images[IMAGES];
    uint32_t count, next;
} fake_swapchain;

static fake_window *const w = &fake_window_state;
static VkPhysicalDevice asked; /* last */

static VkResult answer(fake_answers *answers)
{
    VkResult code = answers->count ? answers->codes[0] : VK_SUCCESS;
    if (answers->count && !(answers->for_good && answers->count == 1)) {
        answers->count--;
        memmove(answers->codes, answers->codes + 1, sizeof *answers->codes * answers->count);
    }
    return code;
}

/* ---- the surface ---------------------------------------------------------------------------- */

#define NEXT_INSTANCE(name) ((PFN_##name)next_instance_call(instance, #name))

/* Every platform's function makes the same surface. */
static VkResult VKAPI_CALL make_surface(VkInstance of, const void *info,
                                        const VkAllocationCallbacks *memory, VkSurfaceKHR *surface)
{
    (void)of;
    (void)info;
    (void)memory;
    w->surfaces++;
    *surface = HANDLE(VkSurfaceKHR, 0x1000u + ++w->surfaces_made);
    return VK_SUCCESS;
}

static void VKAPI_CALL destroy_surface(VkInstance of, VkSurfaceKHR surface,
                                       const VkAllocationCallbacks *memory)
{
    (void)of;
    (void)memory;
    if (surface) w->surfaces--;
}

static VkResult VKAPI_CALL surface_support(VkPhysicalDevice physical, uint32_t family,
                                           VkSurfaceKHR surface, VkBool32 *supported)
{
    VkPhysicalDeviceProperties properties;
    (void)family;
    (void)surface;
    NEXT_INSTANCE(vkGetPhysicalDeviceProperties)(physical, &properties);
    *supported = !w->unseen_by || !strstr(properties.deviceName, w->unseen_by);
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL surface_capabilities(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                                VkSurfaceCapabilitiesKHR *can)
{
    (void)surface;
    asked = physical;
    *can = w->can;
    return answer(&w->ask);
}

static VkResult VKAPI_CALL surface_formats(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                           uint32_t *count, VkSurfaceFormatKHR *formats)
{
    (void)physical;
    (void)surface;
    if (formats) memcpy(formats, w->formats, sizeof *formats * w->format_count);
    *count = w->format_count;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL surface_modes(VkPhysicalDevice physical, VkSurfaceKHR surface,
                                         uint32_t *count, VkPresentModeKHR *modes)
{
    (void)physical;
    (void)surface;
    if (modes) modes[0] = VK_PRESENT_MODE_FIFO_KHR;
    *count = 1;
    return VK_SUCCESS;
}

/* ---- swapchains ----------------------------------------------------------------------------- */

static uint32_t mappable(uint32_t types)
{
    VkPhysicalDeviceMemoryProperties memory;
    NEXT_INSTANCE(vkGetPhysicalDeviceMemoryProperties)(asked, &memory);
    for (uint32_t i = 0; i < memory.memoryTypeCount; i++)
        if ((types >> i & 1) &&
            (memory.memoryTypes[i].propertyFlags & VK_MEMORY_PROPERTY_HOST_COHERENT_BIT))
            return i;
    abort();
}

static VkResult make_image(const VkSwapchainCreateInfoKHR *info, fake_image *out)
{
    VkImageCreateInfo image = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = info->imageFormat,
        .extent = {info->imageExtent.width, info->imageExtent.height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .tiling = VK_IMAGE_TILING_OPTIMAL,
        .usage = info->imageUsage,
    };
    VkMemoryRequirements needs;
    VkResult code = NEXT(vkCreateImage)(device, &image, NULL, &out->image);
    if (code < 0) return code;
    NEXT(vkGetImageMemoryRequirements)(device, out->image, &needs);
    VkMemoryAllocateInfo memory = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex = mappable(needs.memoryTypeBits),
    };
    code = NEXT(vkAllocateMemory)(device, &memory, NULL, &out->memory);
    return code < 0 ? code : NEXT(vkBindImageMemory)(device, out->image, out->memory, 0);
}

static VkResult VKAPI_CALL create_swapchain(VkDevice of, const VkSwapchainCreateInfoKHR *info,
                                            const VkAllocationCallbacks *memory,
                                            VkSwapchainKHR *out)
{
    (void)of;
    (void)memory;
    fake_swapchain *made = calloc(1, sizeof *made);
    if (!made || w->image_count > IMAGES) abort();
    for (; made->count < w->image_count; made->count++)
        if (make_image(info, &made->images[made->count]) < 0) abort();
    w->made = *info;
    w->swapchains++;
    w->swapchains_made++;
    *out = HANDLE(VkSwapchainKHR, made);
    return VK_SUCCESS;
}

static void VKAPI_CALL destroy_swapchain(VkDevice of, VkSwapchainKHR handle,
                                         const VkAllocationCallbacks *memory)
{
    fake_swapchain *swapchain = HANDLE(fake_swapchain *, handle);
    (void)memory;
    if (!swapchain) return;
    for (uint32_t i = 0; i < swapchain->count; i++) {
        NEXT(vkDestroyImage)(of, swapchain->images[i].image, NULL);
        NEXT(vkFreeMemory)(of, swapchain->images[i].memory, NULL);
    }
    free(swapchain);
    w->swapchains--;
}

static VkResult VKAPI_CALL swapchain_images(VkDevice of, VkSwapchainKHR handle, uint32_t *count,
                                            VkImage *images)
{
    const fake_swapchain *swapchain = HANDLE(fake_swapchain *, handle);
    (void)of;
    for (uint32_t i = 0; images && i < swapchain->count; i++)
        images[i] = swapchain->images[i].image;
    *count = swapchain->count;
    return VK_SUCCESS;
}

/* ---- pictures ------------------------------------------------------------------------------- */

static VkQueue the_queue(void)
{
    VkQueue queue;
    NEXT(vkGetDeviceQueue)(device, 0, 0, &queue);
    return queue;
}

static VkResult VKAPI_CALL acquire(VkDevice of, VkSwapchainKHR handle, uint64_t patience,
                                   VkSemaphore semaphore, VkFence fence, uint32_t *index)
{
    fake_swapchain *swapchain = HANDLE(fake_swapchain *, handle);
    VkResult code = answer(&w->acquire);
    (void)of;
    (void)patience;
    if (code != VK_SUCCESS && code != VK_SUBOPTIMAL_KHR) return code;
    *index = swapchain->next++ % swapchain->count;
    VkSubmitInfo signal = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .signalSemaphoreCount = 1,
        .pSignalSemaphores = &semaphore,
    };
    VkResult submitted = NEXT(vkQueueSubmit)(the_queue(), 1, &signal, fence);
    return submitted < 0 ? submitted : code;
}

static void keep_pixel(const fake_image *shown)
{
    void *bytes;
    if (NEXT(vkMapMemory)(device, shown->memory, 0, VK_WHOLE_SIZE, 0, &bytes) < 0) abort();
    memcpy(w->pixel, bytes, sizeof w->pixel);
    NEXT(vkUnmapMemory)(device, shown->memory);
}

static VkResult VKAPI_CALL present(VkQueue queue, const VkPresentInfoKHR *info)
{
    const fake_swapchain *swapchain = HANDLE(fake_swapchain *, info->pSwapchains[0]);
    VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    VkSubmitInfo wait = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
        .waitSemaphoreCount = info->waitSemaphoreCount,
        .pWaitSemaphores = info->pWaitSemaphores,
        .pWaitDstStageMask = &all,
    };
    VkResult code = NEXT(vkQueueSubmit)(queue, 1, &wait, VK_NULL_HANDLE);
    if (code < 0) return code;
    NEXT(vkQueueWaitIdle)(queue);
    keep_pixel(&swapchain->images[info->pImageIndices[0]]);
    w->shown++;
    return answer(&w->present);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCreateXcbSurfaceKHR", (PFN_vkVoidFunction)make_surface},
        {"vkDestroySurfaceKHR", (PFN_vkVoidFunction)destroy_surface},
        {"vkGetPhysicalDeviceSurfaceSupportKHR", (PFN_vkVoidFunction)surface_support},
        {"vkGetPhysicalDeviceSurfaceCapabilitiesKHR", (PFN_vkVoidFunction)surface_capabilities},
        {"vkGetPhysicalDeviceSurfaceFormatsKHR", (PFN_vkVoidFunction)surface_formats},
        {"vkGetPhysicalDeviceSurfacePresentModesKHR", (PFN_vkVoidFunction)surface_modes},
        {"vkCreateSwapchainKHR", (PFN_vkVoidFunction)create_swapchain},
        {"vkDestroySwapchainKHR", (PFN_vkVoidFunction)destroy_swapchain},
        {"vkGetSwapchainImagesKHR", (PFN_vkVoidFunction)swapchain_images},
        {"vkAcquireNextImageKHR", (PFN_vkVoidFunction)acquire},
        {"vkQueuePresentKHR", (PFN_vkVoidFunction)present},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
