/* Images: creation, clearing, layout transitions, copies to and from buffers. */
#include "gpu_adopt.h"
#include "gpu_internal.h"

static const struct {
    VkFormat format;
    uint32_t bytes;
    bool storage;
} formats[GPU_FORMATS] = {
    [GPU_R32F] = {VK_FORMAT_R32_SFLOAT, 4, true},
    [GPU_RG16F] = {VK_FORMAT_R16G16_SFLOAT, 4, false},
    [GPU_RG32F] = {VK_FORMAT_R32G32_SFLOAT, 8, false},
    [GPU_RGBA16F] = {VK_FORMAT_R16G16B16A16_SFLOAT, 8, true},
    [GPU_RGBA32F] = {VK_FORMAT_R32G32B32A32_SFLOAT, 16, true},
    [GPU_RGBA8] = {VK_FORMAT_R8G8B8A8_UNORM, 4, true},
    [GPU_D32] = {VK_FORMAT_D32_SFLOAT, 4, false},
    [GPU_BGRA8] = {VK_FORMAT_B8G8R8A8_UNORM, 4, false},
    [GPU_RGBA8_SRGB] = {VK_FORMAT_R8G8B8A8_SRGB, 4, false},
    [GPU_BGRA8_SRGB] = {VK_FORMAT_B8G8R8A8_SRGB, 4, false},
    [GPU_RG11B10F] = {VK_FORMAT_B10G11R11_UFLOAT_PACK32, 4, false},
};

VkFormat gpu_vk_format(gpu_format format)
{
    return formats[format].format;
}
uint32_t gpu_format_bytes(gpu_format format)
{
    return formats[format].bytes;
}

bool gpu_format_can_blend(const gpu_device *device, gpu_format format)
{
    VkFormatProperties properties;
    device->instance.calls.get_format(device->physical, formats[format].format, &properties);
    return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
}

/* A bug of lavapipe 25.0.7 and 26.1.6, not of 22.3.6: a pipeline without colour attachments clears
 * what the start of the command buffer sets, that attachments blend independently. From then on all
 * of them blend as the first one does. Mesa's version is in the driver's text; in its number it is
 * only since 26. */
static bool loses_independent_blend(const weir_device_info *info)
{
    return base_number_after(info->driver, "llvmpipe Mesa ") > 22;
}

bool gpu_device_independent_blend(const gpu_device *device)
{
    return device->independent_blend && !loses_independent_blend(&device->info);
}
bool gpu_device_can_draw(const gpu_device *device)
{
    return device->draws;
}
uint32_t gpu_device_image_limit(const gpu_device *device)
{
    return device->limits.maxImageDimension2D;
}

/* ---- creation ------------------------------------------------------------------------------- */

static VkImageUsageFlags image_usage(const gpu_device *device, gpu_format format)
{
    VkImageUsageFlags usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                              VK_IMAGE_USAGE_TRANSFER_DST_BIT;
    if (formats[format].storage) usage |= VK_IMAGE_USAGE_STORAGE_BIT;
    if (format == GPU_D32) return usage | VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT;
    return device->draws ? usage | VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : usage;
}

static VkImageSubresourceRange full_range(const gpu_image *image)
{
    return (VkImageSubresourceRange){
        .aspectMask = image->aspects,
        .levelCount = 1,
        .layerCount = 1,
    };
}

static weir_result create_handle(gpu_device *device, gpu_image *image)
{
    VkImageCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
        .imageType = VK_IMAGE_TYPE_2D,
        .format = formats[image->format].format,
        .extent = {image->width, image->height, 1},
        .mipLevels = 1,
        .arrayLayers = 1,
        .samples = VK_SAMPLE_COUNT_1_BIT,
        .usage = image_usage(device, image->format),
    };
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkCreateImage, &info, device->allocator, &image->handle));
    gpu_name_object(device, VK_OBJECT_TYPE_IMAGE, (uint64_t)image->handle, image->name);
    return WEIR_OK;
}

static weir_result allocate_memory(gpu_device *device, gpu_image *image)
{
    VkMemoryRequirements needs;
    device->vk.vkGetImageMemoryRequirements(device->handle, image->handle, &needs);
    VkMemoryAllocateInfo info = {
        .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
        .allocationSize = needs.size,
        .memoryTypeIndex =
            gpu_memory_type(&device->memory, needs.memoryTypeBits, GPU_MEMORY_DEVICE),
    };
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkAllocateMemory, &info, device->allocator, &image->memory));
    image->size = needs.size;
    gpu_memory_owner_add(device, gpu_memory_owner_find(device, "images"), image->size, 0);
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkBindImageMemory, image->handle, image->memory, 0));
    VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image->handle,
        .viewType = VK_IMAGE_VIEW_TYPE_2D,
        .format = formats[image->format].format,
        .subresourceRange = full_range(image),
    };
    return GPU_VK(device, vkCreateImageView, &view, device->allocator, &image->view);
}

void gpu_record_blit(gpu_device *device, const gpu_image *from, VkImage to, uint32_t width,
                     uint32_t height)
{
    const VkImageSubresourceLayers colours = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
    bool same = from->width == width && from->height == height;
    VkImageBlit2 region = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_BLIT_2,
        .srcSubresource = colours,
        .srcOffsets = {{0, 0, 0}, {(int32_t)from->width, (int32_t)from->height, 1}},
        .dstSubresource = colours,
        .dstOffsets = {{0, 0, 0}, {(int32_t)width, (int32_t)height, 1}},
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
    device->vk.vkCmdBlitImage2(device->recording->commands, &blit);
}

void gpu_record_image_scale(gpu_device *device, gpu_image *from, gpu_image *to)
{
    gpu_record_image_order(device, from, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, false);
    gpu_record_image_order(device, to, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true);
    gpu_record_blit(device, from, to->handle, to->width, to->height);
}

static weir_result zero_image(gpu_device *device, gpu_image *image)
{
    uint64_t ticket;
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    VkCommandBuffer commands = device->recording->commands;
    VkImageSubresourceRange range = full_range(image);
    gpu_record_image_order(device, image, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL, true);
    if (image->format == GPU_D32)
        device->vk.vkCmdClearDepthStencilImage(commands, image->handle,
                                               VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                               &(VkClearDepthStencilValue){0}, 1, &range);
    else
        device->vk.vkCmdClearColorImage(commands, image->handle,
                                        VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                                        &(VkClearColorValue){{0}}, 1, &range);
    return gpu_record_submit(device, &ticket);
}

weir_result gpu_image_create(gpu_device *device, const gpu_image_def *def, gpu_image **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    *out = NULL;
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    uint32_t most = device->limits.maxImageDimension2D;
    WEIR_ASSERT(def->width > 0 && def->height > 0);
    if (def->width > most || def->height > most)
        return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                         "image %s of %u x %u pixels: %s allows at most %u on a side", def->name,
                         def->width, def->height, device->info.name, most);
    gpu_image *image = base_alloc(1, sizeof *image);
    if (!image)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for image %s",
                         def->name);
    *image = (gpu_image){.name = def->name,
                         .format = def->format,
                         .width = def->width,
                         .height = def->height,
                         .aspects = def->format == GPU_D32 ? VK_IMAGE_ASPECT_DEPTH_BIT
                                                           : VK_IMAGE_ASPECT_COLOR_BIT,
                         .id = ++device->next_buffer_id};
    WEIR_GOTO_IF_ERROR(create_handle(device, image));
    WEIR_GOTO_IF_ERROR(allocate_memory(device, image));
    WEIR_GOTO_IF_ERROR(zero_image(device, image));
    *out = image;
    return WEIR_OK;
fail:
    if (result == WEIR_ERROR_MEMORY)
        base_log(&device->log, WEIR_LOG_ERROR,
                 "image %s of %u x %u pixels does not fit into the memory of %s: make the picture "
                 "smaller",
                 image->name, image->width, image->height, device->info.name);
    gpu_image_destroy(device, &image);
    return result;
}

/* ---- a host's ------------------------------------------------------------------------------- */

gpu_format gpu_format_from_vk(VkFormat format)
{
    static const gpu_format colours[] = {GPU_RGBA8,      GPU_BGRA8,    GPU_RGBA8_SRGB,
                                         GPU_BGRA8_SRGB, GPU_RG11B10F, GPU_RGBA16F};
    for (size_t i = 0; i < BASE_COUNT(colours); i++)
        if (formats[colours[i]].format == format) return colours[i];
    switch (format) {
    case VK_FORMAT_D32_SFLOAT:
    case VK_FORMAT_D32_SFLOAT_S8_UINT:
    case VK_FORMAT_D24_UNORM_S8_UINT:
    case VK_FORMAT_X8_D24_UNORM_PACK32:
    case VK_FORMAT_D16_UNORM: return GPU_D32;
    default: return GPU_FORMAT_NONE;
    }
}

/* Returns all aspects of a format, because a layout transition applies to all of them. */
static VkImageAspectFlags format_aspects(VkFormat format)
{
    bool stencil = format == VK_FORMAT_D32_SFLOAT_S8_UINT || format == VK_FORMAT_D24_UNORM_S8_UINT;
    if (gpu_format_from_vk(format) != GPU_D32) return VK_IMAGE_ASPECT_COLOR_BIT;
    return VK_IMAGE_ASPECT_DEPTH_BIT | (stencil ? VK_IMAGE_ASPECT_STENCIL_BIT : 0u);
}

weir_result gpu_image_borrow(gpu_device *device, const gpu_borrowed_image *lent, gpu_image **out)
{
    gpu_image *image = base_alloc(1, sizeof *image);
    *out = image;
    if (!image)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for a host's image");
    *image = (gpu_image){.name = "host",
                         .handle = lent->image,
                         .view = lent->view,
                         .format = gpu_format_from_vk(lent->format),
                         .width = lent->width,
                         .height = lent->height,
                         .id = ++device->next_buffer_id,
                         .aspects = format_aspects(lent->format),
                         .borrowed = true,
                         .host_layout = lent->layout,
                         .layout = lent->layout};
    return WEIR_OK;
}

void gpu_record_return_image(gpu_device *device, gpu_image *image)
{
    gpu_record_image_order(device, image, image->host_layout, true);
}

void gpu_image_destroy(gpu_device *device, gpu_image **pointer)
{
    gpu_image *image = *pointer;
    if (!image) return;
    gpu_device_wait(device);
    gpu_descriptor_sets_trim(device);
    if (image->borrowed) {
        base_free(image);
        *pointer = NULL;
        return;
    }
    device->vk.vkDestroyImageView(device->handle, image->view, device->allocator);
    device->vk.vkDestroyImage(device->handle, image->handle, device->allocator);
    device->vk.vkFreeMemory(device->handle, image->memory, device->allocator);
    gpu_memory_owner_add(device, gpu_memory_owner_find(device, "images"), 0, image->size);
    base_free(image);
    *pointer = NULL;
}

uint32_t gpu_image_width(const gpu_image *image)
{
    return image->width;
}
uint32_t gpu_image_height(const gpu_image *image)
{
    return image->height;
}
gpu_format gpu_image_format(const gpu_image *image)
{
    return image->format;
}

/* ---- layouts -------------------------------------------------------------------------------- */

VkImageLayout gpu_image_use_layout(const gpu_pass *pass, const gpu_image_use *use)
{
    if (use->access == GPU_ATTACH || use->access == GPU_ATTACH_CLEAR)
        return use->image->format == GPU_D32 ? VK_IMAGE_LAYOUT_DEPTH_STENCIL_ATTACHMENT_OPTIMAL
                                             : VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
    const gpu_binding *binding = gpu_pipeline_find_binding(pass->pipeline, use->binding);
    return binding && binding->type == VK_DESCRIPTOR_TYPE_STORAGE_IMAGE
               ? VK_IMAGE_LAYOUT_GENERAL
               : VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL;
}

VkImageMemoryBarrier2 gpu_image_transition(const gpu_image *image, VkImageLayout to)
{
    return (VkImageMemoryBarrier2){
        .sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2,
        .oldLayout = image->layout,
        .newLayout = to,
        .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
        .image = image->handle,
        .subresourceRange = full_range(image),
    };
}

/* ---- copies --------------------------------------------------------------------------------- */

static uint64_t line_bytes(const gpu_image *image)
{
    return (uint64_t)image->width * formats[image->format].bytes;
}

static weir_result copy_and_wait(gpu_device *device, const gpu_image_copy *copy)
{
    WEIR_RETURN_IF_ERROR(gpu_record_begin(device));
    gpu_record_image_copy(device, copy);
    return gpu_record_finish(device);
}

/* Transfers the image through the staging buffer in bands of pixel rows. */
static weir_result transfer_lines(gpu_device *device, gpu_image *image, const uint8_t *from,
                                  uint8_t *to)
{
    uint64_t line = line_bytes(image);
    uint32_t most = (uint32_t)(GPU_STAGING_BYTES / line);
    WEIR_ASSERT(most > 0); /* the widest row that a device allows is far smaller */
    for (uint32_t first = 0; first < image->height; first += most) {
        uint32_t lines = image->height - first < most ? image->height - first : most;
        if (from) memcpy(device->staging->mapped, from + first * line, lines * line);
        WEIR_RETURN_IF_ERROR(copy_and_wait(device, &(gpu_image_copy){.image = image,
                                                                     .buffer = device->staging,
                                                                     .first = first,
                                                                     .lines = lines,
                                                                     .to_image = from != NULL}));
        if (to) memcpy(to + first * line, device->staging->mapped, lines * line);
    }
    return WEIR_OK;
}

weir_result gpu_image_upload(gpu_device *device, gpu_image *image, const void *bytes)
{
    return transfer_lines(device, image, bytes, NULL);
}

weir_result gpu_image_download(gpu_device *device, gpu_image *image, void *bytes)
{
    return transfer_lines(device, image, NULL, bytes);
}
