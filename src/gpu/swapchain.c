/* Windows: a swapchain that pictures are copied into, made again whenever the window changes. */
#include "gpu_adopt.h"
#include "gpu_internal.h"

#define IMAGES_MAX 8u
#define UNDER_WAY 2u              /* pictures */
#define ACQUIRE_NS 1000000000ull  /* a hidden window may never give an image */
#define EXTENT_IS_OURS UINT32_MAX /* Wayland: the window takes the swapchain's size */

struct gpu_swapchain {
    VkSurfaceKHR surface;
    VkSwapchainKHR handle; /* NULL while the window has no size */
    bool tearing, stale;
    uint32_t asked_width, asked_height; /* the window's, by its owner */
    uint32_t width, height;             /* of the images */
    uint32_t image_count;
    VkImage images[IMAGES_MAX];
    VkSemaphore drawn[IMAGES_MAX];      /* one per image: free again when the image is */
    VkSemaphore acquired[UNDER_WAY];    /* free again when the ticket is done */
    uint64_t tickets[UNDER_WAY], shown; /* shown: counts */
};

/* ---- the swapchain -------------------------------------------------------------------------- */

/* Pictures are stored as the screen takes them, so the format must not convert. */
static weir_result choose_format(gpu_device *device, VkSurfaceKHR surface, VkSurfaceFormatKHR *out)
{
    VkSurfaceFormatKHR formats[64];
    uint32_t count = BASE_COUNT(formats);
    WEIR_NEED(gpu_vk_result(
        device,
        device->instance.calls.get_surface_formats(device->physical, surface, &count, formats),
        "vkGetPhysicalDeviceSurfaceFormatsKHR"));
    for (uint32_t i = 0; i < count; i++) {
        *out = formats[i];
        if (formats[i].colorSpace == VK_COLOR_SPACE_SRGB_NONLINEAR_KHR &&
            (formats[i].format == VK_FORMAT_B8G8R8A8_UNORM ||
             formats[i].format == VK_FORMAT_R8G8B8A8_UNORM ||
             formats[i].format == VK_FORMAT_A8B8G8R8_UNORM_PACK32))
            return WEIR_OK;
    }
    return base_fail(&device->log, WEIR_UNSUPPORTED,
                     "%s offers this window no 8-bit format: none of %u is known",
                     device->info.name, count);
}

static VkPresentModeKHR choose_mode(const gpu_device *device, const gpu_swapchain *swapchain)
{
    VkPresentModeKHR modes[16];
    uint32_t count = BASE_COUNT(modes);
    if (!swapchain->tearing || device->instance.calls.get_surface_modes(
                                   device->physical, swapchain->surface, &count, modes) < 0)
        return VK_PRESENT_MODE_FIFO_KHR;
    VkPresentModeKHR best = VK_PRESENT_MODE_FIFO_KHR;
    for (uint32_t i = 0; i < count; i++) {
        if (modes[i] == VK_PRESENT_MODE_IMMEDIATE_KHR) return modes[i];
        if (modes[i] == VK_PRESENT_MODE_MAILBOX_KHR) best = modes[i];
    }
    return best;
}

static uint32_t clamp(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static VkCompositeAlphaFlagBitsKHR opaque(const VkSurfaceCapabilitiesKHR *can)
{
    return can->supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
               ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR
               : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR;
}

static void forget_images(gpu_device *device, gpu_swapchain *swapchain)
{
    for (uint32_t i = 0; i < swapchain->image_count; i++) {
        device->vk.vkDestroySemaphore(device->handle, swapchain->drawn[i], NULL);
        swapchain->drawn[i] = VK_NULL_HANDLE;
    }
    swapchain->image_count = 0;
}

static weir_result make_semaphore(gpu_device *device, VkSemaphore *semaphore)
{
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    return GPU_VK(device, vkCreateSemaphore, &info, NULL, semaphore);
}

static weir_result find_images(gpu_device *device, gpu_swapchain *swapchain)
{
    uint32_t count = 0;
    WEIR_NEED(GPU_VK(device, vkGetSwapchainImagesKHR, swapchain->handle, &count, NULL));
    if (count > IMAGES_MAX)
        return base_fail(&device->log, WEIR_UNSUPPORTED,
                         "%s gives a window %u images, at most %u are expected", device->info.name,
                         count, IMAGES_MAX);
    WEIR_NEED(
        GPU_VK(device, vkGetSwapchainImagesKHR, swapchain->handle, &count, swapchain->images));
    for (; swapchain->image_count < count; swapchain->image_count++)
        WEIR_NEED(make_semaphore(device, &swapchain->drawn[swapchain->image_count]));
    return WEIR_OK;
}

/* Nothing of the old swapchain is in use any more: resizing may wait. */
static weir_result wait_idle(gpu_device *device)
{
    WEIR_NEED(gpu_device_wait(device));
    return gpu_vk_result(device, device->vk.vkQueueWaitIdle(device->queue), "vkQueueWaitIdle");
}

static weir_result make_swapchain(gpu_device *device, gpu_swapchain *swapchain,
                                  const VkSurfaceCapabilitiesKHR *can)
{
    VkSurfaceFormatKHR format = {0};
    VkSwapchainKHR before = swapchain->handle;
    WEIR_NEED(choose_format(device, swapchain->surface, &format));
    VkSwapchainCreateInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = swapchain->surface,
        .minImageCount = can->maxImageCount && can->maxImageCount <= can->minImageCount
                             ? can->minImageCount
                             : can->minImageCount + 1,
        .imageFormat = format.format,
        .imageColorSpace = format.colorSpace,
        .imageExtent = {swapchain->width, swapchain->height},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = can->currentTransform,
        .compositeAlpha = opaque(can),
        .presentMode = choose_mode(device, swapchain),
        .clipped = VK_TRUE,
        .oldSwapchain = before,
    };
    swapchain->handle = VK_NULL_HANDLE;
    VkResult code =
        device->vk.vkCreateSwapchainKHR(device->handle, &info, NULL, &swapchain->handle);
    device->vk.vkDestroySwapchainKHR(device->handle, before, NULL);
    WEIR_NEED(gpu_vk_result(device, code, "vkCreateSwapchainKHR"));
    return find_images(device, swapchain);
}

/* For a window of this size; leaves no swapchain when the window has no size. */
static weir_result renew(gpu_device *device, gpu_swapchain *swapchain, uint32_t width,
                         uint32_t height)
{
    VkSurfaceCapabilitiesKHR can;
    WEIR_NEED(wait_idle(device));
    forget_images(device, swapchain);
    WEIR_NEED(gpu_vk_result(
        device,
        device->instance.calls.get_surface_capabilities(device->physical, swapchain->surface, &can),
        "vkGetPhysicalDeviceSurfaceCapabilitiesKHR"));
    bool ours = can.currentExtent.width == EXTENT_IS_OURS;
    swapchain->width = ours ? clamp(width, can.minImageExtent.width, can.maxImageExtent.width)
                            : can.currentExtent.width;
    swapchain->height = ours ? clamp(height, can.minImageExtent.height, can.maxImageExtent.height)
                             : can.currentExtent.height;
    swapchain->asked_width = width;
    swapchain->asked_height = height;
    swapchain->stale = false;
    if (swapchain->width && swapchain->height) return make_swapchain(device, swapchain, &can);
    device->vk.vkDestroySwapchainKHR(device->handle, swapchain->handle, NULL);
    swapchain->handle = VK_NULL_HANDLE;
    return WEIR_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result check_presents(const gpu_device *device)
{
    if (device->adopted)
        return base_fail(&device->log, WEIR_ARGUMENT,
                         "a device that was adopted presents by its host: draw into an image of "
                         "the host's");
    if (!device->presents)
        return base_fail(&device->log, WEIR_UNSUPPORTED,
                         "%s cannot show pictures in a window: make the device with `present`, and "
                         "choose one whose driver has VK_KHR_swapchain",
                         device->info.name);
    if (device->instance.calls.get_surface_support) return WEIR_OK;
    return base_fail(&device->log, WEIR_UNSUPPORTED,
                     "the Vulkan loader cannot show windows: it lacks VK_KHR_surface");
}

static weir_result make_surface(gpu_device *device, weir_create_surface *create_surface, void *user,
                                gpu_swapchain *swapchain)
{
    VkBool32 fits = VK_FALSE;
    VkSurfaceCapabilitiesKHR can;
    VkResult code = create_surface(user, device->instance.handle, &swapchain->surface);
    if (code != VK_SUCCESS)
        return base_fail(&device->log, WEIR_UNSUPPORTED,
                         "the window gives no surface to draw on: code %d", (int)code);
    WEIR_NEED(gpu_vk_result(device,
                            device->instance.calls.get_surface_support(
                                device->physical, device->queue_family, swapchain->surface, &fits),
                            "vkGetPhysicalDeviceSurfaceSupportKHR"));
    WEIR_NEED(gpu_vk_result(
        device,
        device->instance.calls.get_surface_capabilities(device->physical, swapchain->surface, &can),
        "vkGetPhysicalDeviceSurfaceCapabilitiesKHR"));
    if (fits && (can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT)) return WEIR_OK;
    return base_fail(&device->log, WEIR_UNSUPPORTED,
                     "%s cannot show pictures in this window: choose another device",
                     device->info.name);
}

weir_result gpu_swapchain_create(gpu_device *device, weir_create_surface *create_surface,
                                 void *user, bool tearing, gpu_swapchain **out)
{
    weir_result result;
    *out = NULL;
    gpu_swapchain *swapchain = base_alloc(1, sizeof *swapchain);
    if (!swapchain) return base_fail(&device->log, WEIR_MEMORY, "no memory for a window");
    swapchain->tearing = tearing;
    swapchain->stale = true;
    WEIR_TRY(check_presents(device));
    WEIR_TRY(make_surface(device, create_surface, user, swapchain));
    for (uint32_t i = 0; i < UNDER_WAY; i++)
        WEIR_TRY(make_semaphore(device, &swapchain->acquired[i]));
    *out = swapchain;
    return WEIR_OK;
fail:
    gpu_swapchain_destroy(device, &swapchain);
    return result;
}

void gpu_swapchain_destroy(gpu_device *device, gpu_swapchain **pointer)
{
    gpu_swapchain *swapchain = *pointer;
    if (!swapchain) return;
    wait_idle(device);
    forget_images(device, swapchain);
    for (uint32_t i = 0; i < UNDER_WAY; i++)
        device->vk.vkDestroySemaphore(device->handle, swapchain->acquired[i], NULL);
    if (swapchain->handle)
        device->vk.vkDestroySwapchainKHR(device->handle, swapchain->handle, NULL);
    if (swapchain->surface)
        device->instance.calls.destroy_surface(device->instance.handle, swapchain->surface, NULL);
    base_free(swapchain);
    *pointer = NULL;
}

/* ---- showing -------------------------------------------------------------------------------- */

static void change_layout(gpu_device *device, VkImage image, VkImageLayout from, VkImageLayout to)
{
    bool first = from == VK_IMAGE_LAYOUT_UNDEFINED;
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT, /* where the submission waits */
        .srcAccessMask = first ? 0 : VK_ACCESS_2_TRANSFER_WRITE_BIT,
        /* The second comes before the signal that presentation waits for. */
        .dstStageMask =
            first ? VK_PIPELINE_STAGE_2_TRANSFER_BIT : VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
        .dstAccessMask = first ? VK_ACCESS_2_TRANSFER_WRITE_BIT : 0,
        .oldLayout = from,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image,
        .subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1},
    };
    VkDependencyInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
        .imageMemoryBarrierCount = 1,
        .pImageMemoryBarriers = &barrier,
    };
    device->vk.vkCmdPipelineBarrier2(device->recording->commands, &info);
}

static void record_blit(gpu_device *device, const gpu_swapchain *swapchain, gpu_image *from,
                        VkImage to)
{
    bool same = from->width == swapchain->width && from->height == swapchain->height;
    VkImageBlit2 region = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
        .srcSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .srcOffsets = {{0, 0, 0}, {(int32_t)from->width, (int32_t)from->height, 1}},
        .dstSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1},
        .dstOffsets = {{0, 0, 0}, {(int32_t)swapchain->width, (int32_t)swapchain->height, 1}},
    };
    VkBlitImageInfo2 blit = {
        .sType = VK_STRUCTURE_TYPE_BLIT_IMAGE_INFO_2,
        .srcImage = from->handle,
        .srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .dstImage = to,
        .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .regionCount = 1,
        .pRegions = &region,
        .filter = same ? VK_FILTER_NEAREST : VK_FILTER_LINEAR,
    };
    gpu_record_image_order(device, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, false);
    change_layout(device, to, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    device->vk.vkCmdBlitImage2(device->recording->commands, &blit);
    change_layout(device, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                  VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

static weir_result present(gpu_device *device, gpu_swapchain *swapchain, uint32_t index)
{
    VkPresentInfoKHR info = {
        .sType = VK_STRUCTURE_TYPE_PRESENT_INFO_KHR,
        .waitSemaphoreCount = 1,
        .pWaitSemaphores = &swapchain->drawn[index],
        .swapchainCount = 1,
        .pSwapchains = &swapchain->handle,
        .pImageIndices = &index,
    };
    VkResult code = device->vk.vkQueuePresentKHR(device->queue, &info);
    swapchain->stale |= code == VK_SUBOPTIMAL_KHR || code == VK_ERROR_OUT_OF_DATE_KHR;
    if (code == VK_ERROR_OUT_OF_DATE_KHR) return WEIR_OK;
    return gpu_vk_result(device, code, "vkQueuePresentKHR");
}

/* Index of an image to draw into; IMAGES_MAX when the window has none to give within ACQUIRE_NS. */
static weir_result acquire(gpu_device *device, gpu_swapchain *swapchain, VkSemaphore acquired,
                           uint32_t *index)
{
    *index = IMAGES_MAX;
    VkResult code = device->vk.vkAcquireNextImageKHR(device->handle, swapchain->handle, ACQUIRE_NS,
                                                     acquired, VK_NULL_HANDLE, index);
    swapchain->stale |= code == VK_SUBOPTIMAL_KHR || code == VK_ERROR_OUT_OF_DATE_KHR;
    if (code != VK_SUCCESS && code != VK_SUBOPTIMAL_KHR) *index = IMAGES_MAX;
    if (code == VK_ERROR_OUT_OF_DATE_KHR) return WEIR_OK;
    return gpu_vk_result(device, code, "vkAcquireNextImageKHR");
}

weir_result gpu_swapchain_show(gpu_device *device, gpu_swapchain *swapchain, gpu_image *image,
                               uint32_t width, uint32_t height)
{
    uint32_t index = IMAGES_MAX, turn_of = swapchain->shown % UNDER_WAY;
    if (width == 0 || height == 0) return WEIR_OK;
    if (swapchain->tickets[turn_of])
        WEIR_NEED(gpu_ticket_wait(device, swapchain->tickets[turn_of]));
    for (uint32_t tries = 0; tries < 2 && index == IMAGES_MAX; tries++) {
        bool changed = width != swapchain->asked_width || height != swapchain->asked_height;
        if (changed || swapchain->stale || !swapchain->handle)
            WEIR_NEED(renew(device, swapchain, width, height));
        if (!swapchain->handle) return WEIR_OK;
        WEIR_NEED(acquire(device, swapchain, swapchain->acquired[turn_of], &index));
        if (index == IMAGES_MAX && !swapchain->stale) return WEIR_OK; /* hidden */
    }
    if (index == IMAGES_MAX) return WEIR_OK;
    const weir_vulkan_sync acquired = {.semaphore = swapchain->acquired[turn_of],
                                       .stages = VK_PIPELINE_STAGE_2_TRANSFER_BIT},
                           drawn = {.semaphore = swapchain->drawn[index]};
    const weir_vulkan_submit submission = {
        .waits = &acquired, .wait_count = 1, .signals = &drawn, .signal_count = 1};
    WEIR_NEED(gpu_record_begin_with(device, &submission));
    record_blit(device, swapchain, image, swapchain->images[index]);
    WEIR_NEED(gpu_record_submit(device, &swapchain->tickets[turn_of]));
    swapchain->shown++;
    return present(device, swapchain, index);
}
