/* Presents pictures in windows: a swapchain whose images the pictures are copied to. It is
 * recreated whenever the window changes. */
#include "gpu_trace.h"
#include "surface.h"

#define IMAGES_IN_FLIGHT 2u /* pictures in flight */
#define TRIES 3u            /* per picture: a window can change, or lose its surface, twice */
#define NO_IMAGE UINT32_MAX
#define ACQUIRE_NS 1000000000ull  /* a hidden window may never return an image */
#define EXTENT_IS_OURS UINT32_MAX /* Wayland: the window takes the swapchain's size */

struct gpu_swapchain {
    weir_window window;
    VkSurfaceKHR surface;
    VkSwapchainKHR handle; /* NULL while the window has no size */
    bool stale;            /* the swapchain must be recreated */
    /* the swapchain must be recreated if the surface has changed */
    bool suboptimal;
    bool lost;                                  /* the surface must be recreated */
    uint32_t requested_width, requested_height; /* window size passed by its owner */
    uint32_t width, height;                     /* of the images */
    VkSurfaceCapabilitiesKHR surface_capabilities;
    gpu_surface_format format;
    /* in format.conversion_format, as large as the images; created on first use */
    gpu_image *conversion_image;
    uint32_t image_count;
    VkImage *images; /* [image_count] */
    /* [image_count]; reusable once the image is acquired again */
    VkSemaphore *drawn;
    VkSemaphore acquired[IMAGES_IN_FLIGHT];    /* reusable once the ticket is done */
    uint64_t tickets[IMAGES_IN_FLIGHT], shown; /* `shown` counts pictures */
};

/* ---- the swapchain -------------------------------------------------------------------------- */

static uint32_t clamp_extent(uint32_t value, uint32_t least, uint32_t most)
{
    return value < least ? least : value > most ? most : value;
}

static void destroy_images(gpu_device *device, gpu_swapchain *swapchain)
{
    for (uint32_t i = 0; i < swapchain->image_count; i++)
        device->vk.vkDestroySemaphore(device->handle, swapchain->drawn[i], NULL);
    swapchain->image_count = 0;
    base_free(swapchain->images);
    base_free(swapchain->drawn);
    swapchain->images = NULL;
    swapchain->drawn = NULL;
    gpu_image_destroy(device, &swapchain->conversion_image);
}

/* Waits until nothing uses the swapchain any more; resizing may block. */
static weir_result wait_idle(gpu_device *device)
{
    WEIR_RETURN_IF_ERROR(gpu_device_wait(device));
    return gpu_vk_result(device, device->vk.vkQueueWaitIdle(device->queue), "vkQueueWaitIdle");
}

static void destroy_vk_swapchain(gpu_device *device, gpu_swapchain *swapchain)
{
    destroy_images(device, swapchain);
    device->vk.vkDestroySwapchainKHR(device->handle, swapchain->handle, NULL);
    swapchain->handle = VK_NULL_HANDLE;
}

static weir_result create_semaphore(gpu_device *device, VkSemaphore *semaphore)
{
    VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO};
    return GPU_VK(device, vkCreateSemaphore, &info, NULL, semaphore);
}

static weir_result get_swapchain_images(gpu_device *device, gpu_swapchain *swapchain)
{
    uint32_t count = 0;
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkGetSwapchainImagesKHR, swapchain->handle, &count, NULL));
    swapchain->images = base_alloc(count, sizeof(VkImage));
    swapchain->drawn = base_alloc(count, sizeof(VkSemaphore));
    if (!swapchain->images || !swapchain->drawn)
        return base_fail(&device->log, WEIR_ERROR_MEMORY,
                         "not enough memory for %u images of a window", count);
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkGetSwapchainImagesKHR, swapchain->handle, &count, swapchain->images));
    for (; swapchain->image_count < count; swapchain->image_count++)
        WEIR_RETURN_IF_ERROR(create_semaphore(device, &swapchain->drawn[swapchain->image_count]));
    return WEIR_OK;
}

static VkSwapchainCreateInfoKHR describe_swapchain(const gpu_device *device,
                                                   const gpu_swapchain *swapchain)
{
    const VkSurfaceCapabilitiesKHR *can = &swapchain->surface_capabilities;
    bool one_more = can->maxImageCount == 0 || can->maxImageCount > can->minImageCount;
    bool upright = can->supportedTransforms & VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR;
    bool opaque = can->supportedCompositeAlpha & VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR;
    return (VkSwapchainCreateInfoKHR){
        .sType = VK_STRUCTURE_TYPE_SWAPCHAIN_CREATE_INFO_KHR,
        .surface = swapchain->surface,
        .minImageCount = can->minImageCount + (one_more ? 1 : 0),
        .imageFormat = swapchain->format.of_images.format,
        .imageColorSpace = swapchain->format.of_images.colorSpace,
        .imageExtent = {swapchain->width, swapchain->height},
        .imageArrayLayers = 1,
        .imageUsage = VK_IMAGE_USAGE_TRANSFER_DST_BIT,
        .imageSharingMode = VK_SHARING_MODE_EXCLUSIVE,
        .preTransform = upright ? VK_SURFACE_TRANSFORM_IDENTITY_BIT_KHR : can->currentTransform,
        .compositeAlpha =
            opaque ? VK_COMPOSITE_ALPHA_OPAQUE_BIT_KHR : VK_COMPOSITE_ALPHA_INHERIT_BIT_KHR,
        .presentMode =
            gpu_surface_mode_choose(device, swapchain->surface, swapchain->window.tearing),
        .clipped = VK_TRUE,
        .oldSwapchain = swapchain->handle,
    };
}

/* Handles the result of acquiring or presenting. A changed window is not an error; the next picture
 * deals with it. */
static weir_result handle_present_result(gpu_device *device, gpu_swapchain *swapchain,
                                         VkResult code, const char *name)
{
    swapchain->suboptimal |= code == VK_SUBOPTIMAL_KHR;
    swapchain->stale |= code == VK_ERROR_OUT_OF_DATE_KHR;
    swapchain->lost |= code == VK_ERROR_SURFACE_LOST_KHR;
    if (code == VK_ERROR_OUT_OF_DATE_KHR || code == VK_ERROR_SURFACE_LOST_KHR) return WEIR_OK;
    return gpu_vk_result(device, code, name);
}

static weir_result create_vk_swapchain(gpu_device *device, gpu_swapchain *swapchain)
{
    WEIR_RETURN_IF_ERROR(gpu_surface_format_choose(device, swapchain->surface, &swapchain->format));
    VkSwapchainCreateInfoKHR info = describe_swapchain(device, swapchain);
    swapchain->handle = VK_NULL_HANDLE;
    VkResult code =
        device->vk.vkCreateSwapchainKHR(device->handle, &info, NULL, &swapchain->handle);
    device->vk.vkDestroySwapchainKHR(device->handle, info.oldSwapchain, NULL);
    WEIR_RETURN_IF_ERROR(handle_present_result(device, swapchain, code, "vkCreateSwapchainKHR"));
    if (!swapchain->handle) return WEIR_OK;
    weir_result result = get_swapchain_images(device, swapchain);
    swapchain->stale |= result != WEIR_OK; /* the next picture retries */
    return result;
}

static weir_result query_surface(gpu_device *device, gpu_swapchain *swapchain,
                                 VkSurfaceCapabilitiesKHR *can)
{
    VkResult code =
        device->instance.calls.get_surface_capabilities(device->physical, swapchain->surface, can);
    return handle_present_result(device, swapchain, code,
                                 "vkGetPhysicalDeviceSurfaceCapabilitiesKHR");
}

/* Recreates the swapchain for a window of this size; leaves none if the window has no size or its
 * surface is lost. */
static weir_result recreate_swapchain(gpu_device *device, gpu_swapchain *swapchain, uint32_t width,
                                      uint32_t height)
{
    VkSurfaceCapabilitiesKHR can;
    WEIR_RETURN_IF_ERROR(wait_idle(device));
    destroy_images(device, swapchain);
    WEIR_RETURN_IF_ERROR(query_surface(device, swapchain, &can));
    if (swapchain->lost) return WEIR_OK;
    bool ours = can.currentExtent.width == EXTENT_IS_OURS;
    swapchain->width = ours
                           ? clamp_extent(width, can.minImageExtent.width, can.maxImageExtent.width)
                           : can.currentExtent.width;
    swapchain->height =
        ours ? clamp_extent(height, can.minImageExtent.height, can.maxImageExtent.height)
             : can.currentExtent.height;
    swapchain->requested_width = width;
    swapchain->requested_height = height;
    swapchain->surface_capabilities = can;
    swapchain->stale = swapchain->suboptimal = false;
    if (swapchain->width && swapchain->height) return create_vk_swapchain(device, swapchain);
    destroy_vk_swapchain(device, swapchain);
    return WEIR_OK;
}

/* Handles a suboptimal swapchain. Windows report one after a change, but some report it for every
 * picture, so the swapchain is recreated only if the result would differ. */
static weir_result check_suboptimal(gpu_device *device, gpu_swapchain *swapchain)
{
    VkSurfaceCapabilitiesKHR can;
    const VkSurfaceCapabilitiesKHR *then = &swapchain->surface_capabilities;
    swapchain->suboptimal = false;
    WEIR_RETURN_IF_ERROR(query_surface(device, swapchain, &can));
    swapchain->stale |=
        !swapchain->lost && (can.currentExtent.width != then->currentExtent.width ||
                             can.currentExtent.height != then->currentExtent.height ||
                             can.currentTransform != then->currentTransform);
    return WEIR_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result check_presents(const gpu_device *device)
{
    if (device->presents) return WEIR_OK;
    if (device->adopted)
        return base_fail(
            &device->log, WEIR_ERROR_ARGUMENT,
            "an adopted device is presented by its host: draw into an image of the host");
    return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                     "%s was not created for a window: set weir_device_def.window",
                     device->info.name);
}

static weir_result create_surface(gpu_device *device, gpu_swapchain *swapchain)
{
    WEIR_RETURN_IF_ERROR(gpu_surface_create(device, &swapchain->window, &swapchain->surface));
    if (gpu_surface_can_present(device, swapchain->surface, device->queue_family)) return WEIR_OK;
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "%s cannot present to this window: create the device with this window in "
                     "weir_device_def.window",
                     device->info.name);
}

/* Replaces a lost surface; its swapchain is destroyed first. */
static weir_result replace_surface(gpu_device *device, gpu_swapchain *swapchain)
{
    WEIR_RETURN_IF_ERROR(wait_idle(device));
    destroy_vk_swapchain(device, swapchain);
    gpu_surface_destroy(device, &swapchain->surface);
    base_log(&device->log, WEIR_LOG_INFO, "the window's surface was lost; creating it again");
    WEIR_RETURN_IF_ERROR(create_surface(device, swapchain));
    swapchain->lost = false;
    return WEIR_OK;
}

weir_result gpu_swapchain_create(gpu_device *device, const weir_window *window, gpu_swapchain **out)
{
    weir_result result;
    *out = NULL;
    gpu_swapchain *swapchain = base_alloc(1, sizeof *swapchain);
    if (!swapchain)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for a window");
    swapchain->window = *window;
    swapchain->stale = true;
    WEIR_GOTO_IF_ERROR(check_presents(device));
    WEIR_GOTO_IF_ERROR(create_surface(device, swapchain));
    for (uint32_t i = 0; i < IMAGES_IN_FLIGHT; i++)
        WEIR_GOTO_IF_ERROR(create_semaphore(device, &swapchain->acquired[i]));
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
    for (uint32_t i = 0; i < IMAGES_IN_FLIGHT; i++)
        device->vk.vkDestroySemaphore(device->handle, swapchain->acquired[i], NULL);
    if (swapchain->handle) destroy_vk_swapchain(device, swapchain);
    gpu_surface_destroy(device, &swapchain->surface);
    base_free(swapchain);
    *pointer = NULL;
}

/* ---- showing -------------------------------------------------------------------------------- */

static void record_layout_change(gpu_device *device, VkImage image, VkImageLayout from,
                                 VkImageLayout to)
{
    bool first = from == VK_IMAGE_LAYOUT_UNDEFINED;
    VkImageMemoryBarrier2 barrier = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        /* the stage in which the submission waits */
        .srcStageMask = VK_PIPELINE_STAGE_2_TRANSFER_BIT,
        .srcAccessMask = first ? 0 : VK_ACCESS_2_TRANSFER_WRITE_BIT,
        /* The second transition precedes the signal that presentation waits for. */
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

static const VkImageSubresourceLayers colours = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};

/* Copies the bytes unchanged. */
static void record_copy(gpu_device *device, const gpu_image *from, VkImage to)
{
    VkImageCopy2 region = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_COPY_2,
        .srcSubresource = colours,
        .dstSubresource = colours,
        .extent = {from->width, from->height, 1},
    };
    VkCopyImageInfo2 copy = {
        .sType = VK_STRUCTURE_TYPE_COPY_IMAGE_INFO_2,
        .srcImage = from->handle,
        .srcImageLayout = VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
        .dstImage = to,
        .dstImageLayout = VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
        .regionCount = 1,
        .pRegions = &region,
    };
    device->vk.vkCmdCopyImage2(device->recording->commands, &copy);
}

static void record_picture(gpu_device *device, const gpu_swapchain *swapchain, gpu_image *picture,
                           VkImage to)
{
    gpu_image *conversion_image = swapchain->conversion_image;
    gpu_record_image_order(device, picture, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, false);
    if (conversion_image) {
        gpu_record_image_order(device, conversion_image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                               true);
        gpu_record_blit(device, picture, conversion_image->handle, swapchain->width,
                        swapchain->height);
        gpu_record_image_order(device, conversion_image, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL,
                               false);
    }
    record_layout_change(device, to, VK_IMAGE_LAYOUT_UNDEFINED,
                         VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
    if (conversion_image)
        record_copy(device, conversion_image, to);
    else
        gpu_record_blit(device, picture, to, swapchain->width, swapchain->height);
    record_layout_change(device, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         VK_IMAGE_LAYOUT_PRESENT_SRC_KHR);
}

static weir_result create_conversion_image(gpu_device *device, gpu_swapchain *swapchain)
{
    const gpu_image_def def = {.name = "window",
                               .format = swapchain->format.conversion_format,
                               .width = swapchain->width,
                               .height = swapchain->height};
    if (def.format == GPU_FORMAT_NONE || swapchain->conversion_image) return WEIR_OK;
    return gpu_image_create(device, &def, &swapchain->conversion_image);
}

static weir_result queue_present(gpu_device *device, gpu_swapchain *swapchain, uint32_t index)
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
    return handle_present_result(device, swapchain, code, "vkQueuePresentKHR");
}

/* Recreates whatever is needed to show a picture of this size. */
static weir_result prepare_swapchain(gpu_device *device, gpu_swapchain *swapchain, uint32_t width,
                                     uint32_t height)
{
    bool resized = width != swapchain->requested_width || height != swapchain->requested_height;
    if (swapchain->suboptimal && !swapchain->lost)
        WEIR_RETURN_IF_ERROR(check_suboptimal(device, swapchain));
    if (swapchain->lost) WEIR_RETURN_IF_ERROR(replace_surface(device, swapchain));
    if (resized || swapchain->stale || !swapchain->handle)
        WEIR_RETURN_IF_ERROR(recreate_swapchain(device, swapchain, width, height));
    bool shows = swapchain->handle && !swapchain->lost;
    return shows ? create_conversion_image(device, swapchain) : WEIR_OK;
}

/* Returns the index of a swapchain image; NO_IMAGE if the window provides none within ACQUIRE_NS,
 * or has changed. */
static weir_result acquire_image(gpu_device *device, gpu_swapchain *swapchain, VkSemaphore acquired,
                                 uint32_t *index)
{
    VkResult code = device->vk.vkAcquireNextImageKHR(device->handle, swapchain->handle, ACQUIRE_NS,
                                                     acquired, VK_NULL_HANDLE, index);
    if (code != VK_SUCCESS && code != VK_SUBOPTIMAL_KHR) *index = NO_IMAGE;
    return handle_present_result(device, swapchain, code, "vkAcquireNextImageKHR");
}

/* Returns the index of a swapchain image for a picture of this size; NO_IMAGE if the window shows
 * nothing at the moment. */
static weir_result acquire_ready_image(gpu_device *device, gpu_swapchain *swapchain, uint32_t width,
                                       uint32_t height, uint32_t *index)
{
    VkSemaphore acquired = swapchain->acquired[swapchain->shown % IMAGES_IN_FLIGHT];
    *index = NO_IMAGE;
    for (uint32_t tries = 0; tries < TRIES; tries++) {
        WEIR_RETURN_IF_ERROR(prepare_swapchain(device, swapchain, width, height));
        if (!swapchain->lost && !swapchain->handle) return WEIR_OK; /* the window has no size */
        if (!swapchain->lost)
            WEIR_RETURN_IF_ERROR(acquire_image(device, swapchain, acquired, index));
        bool changed = swapchain->stale || swapchain->lost;
        if (*index != NO_IMAGE || !changed) return WEIR_OK;
    }
    /* the window changes faster than the swapchain can follow */
    if (!swapchain->lost) return WEIR_OK;
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "the window's surface was lost %u times for one picture: close the window, "
                     "and check the log of the display server",
                     TRIES);
}

weir_result gpu_swapchain_present(gpu_device *device, gpu_swapchain *swapchain, gpu_image *image,
                                  uint32_t width, uint32_t height)
{
    uint32_t index, turn_of = swapchain->shown % IMAGES_IN_FLIGHT;
    if (width == 0 || height == 0) return WEIR_OK;
    if (swapchain->tickets[turn_of])
        WEIR_RETURN_IF_ERROR(gpu_ticket_wait(device, swapchain->tickets[turn_of]));
    double start_s = gpu_trace_begin("acquire");
    weir_result result = acquire_ready_image(device, swapchain, width, height, &index);
    gpu_trace_cpu(device, "acquire", start_s, device->next_ticket);
    WEIR_RETURN_IF_ERROR(result);
    if (index == NO_IMAGE) return WEIR_OK;
    const weir_vulkan_sync acquired = {.semaphore = swapchain->acquired[turn_of],
                                       .stages = VK_PIPELINE_STAGE_2_TRANSFER_BIT},
                           drawn = {.semaphore = swapchain->drawn[index]};
    const weir_vulkan_submit submission = {
        .waits = &acquired, .wait_count = 1, .signals = &drawn, .signal_count = 1};
    WEIR_RETURN_IF_ERROR(gpu_record_begin_with(device, &submission));
    record_picture(device, swapchain, image, swapchain->images[index]);
    WEIR_RETURN_IF_ERROR(gpu_record_submit(device, &swapchain->tickets[turn_of]));
    swapchain->shown++;
    start_s = gpu_trace_begin("present");
    result = queue_present(device, swapchain, index);
    gpu_trace_cpu(device, "present", start_s, swapchain->tickets[turn_of]);
    return result;
}
