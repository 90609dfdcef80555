/* Surfaces of windows: which devices can present to them, in which format and mode. */
#include "surface.h"

/* ---- surfaces ------------------------------------------------------------------------------- */

weir_result gpu_surface_create(gpu_device *device, const weir_window *window, VkSurfaceKHR *surface)
{
    *surface = VK_NULL_HANDLE;
    if (!device->instance.calls.get_surface_support)
        return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                         "the Vulkan loader cannot show windows: it lacks VK_KHR_surface");
    VkResult code = window->create_surface(window->user, device->instance.handle, surface);
    if (code == VK_SUCCESS) return WEIR_OK;
    *surface = VK_NULL_HANDLE;
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "cannot create a surface for the window: code %d", (int)code);
}

void gpu_surface_destroy(gpu_device *device, VkSurfaceKHR *surface)
{
    if (*surface) device->instance.calls.destroy_surface(device->instance.handle, *surface, NULL);
    *surface = VK_NULL_HANDLE;
}

bool gpu_surface_can_present(const gpu_device *device, VkSurfaceKHR surface, uint32_t family)
{
    VkBool32 fits = VK_FALSE;
    VkSurfaceCapabilitiesKHR can;
    const gpu_instance_calls *calls = &device->instance.calls;
    return calls->get_surface_support(device->physical, family, surface, &fits) >= 0 && fits &&
           calls->get_surface_capabilities(device->physical, surface, &can) >= 0 &&
           (can.supportedUsageFlags & VK_IMAGE_USAGE_TRANSFER_DST_BIT);
}

/* ---- formats -------------------------------------------------------------------------------- */

/* Usable formats, best first: 8 bits like the pictures, then formats that a blit can convert to,
 * then sRGB formats, which would encode the colours again. */
static const struct {
    VkFormat format;
    gpu_format conversion_format;
} formats[] = {
    {VK_FORMAT_B8G8R8A8_UNORM, GPU_FORMAT_NONE},
    {VK_FORMAT_R8G8B8A8_UNORM, GPU_FORMAT_NONE},
    {VK_FORMAT_A8B8G8R8_UNORM_PACK32, GPU_FORMAT_NONE},
    {VK_FORMAT_A2B10G10R10_UNORM_PACK32, GPU_FORMAT_NONE},
    {VK_FORMAT_A2R10G10B10_UNORM_PACK32, GPU_FORMAT_NONE},
    {VK_FORMAT_R16G16B16A16_UNORM, GPU_FORMAT_NONE},
    {VK_FORMAT_R5G6B5_UNORM_PACK16, GPU_FORMAT_NONE},
    {VK_FORMAT_B8G8R8A8_SRGB, GPU_BGRA8},
    {VK_FORMAT_R8G8B8A8_SRGB, GPU_RGBA8},
    {VK_FORMAT_A8B8G8R8_SRGB_PACK32, GPU_RGBA8}, /* same bytes as R8G8B8A8 */
};

static bool supports_blit(const gpu_device *device, VkFormat format)
{
    VkFormatProperties properties;
    device->instance.calls.get_format(device->physical, format, &properties);
    return properties.optimalTilingFeatures & VK_FORMAT_FEATURE_BLIT_DST_BIT;
}

/* Returns the index in `formats`, or the number of formats if the offered one is unusable. */
static size_t format_rank(const gpu_device *device, const VkSurfaceFormatKHR *offered)
{
    size_t i = 0;
    if (offered->colorSpace != VK_COLOR_SPACE_SRGB_NONLINEAR_KHR) return BASE_COUNT(formats);
    while (i < BASE_COUNT(formats) && formats[i].format != offered->format)
        i++;
    bool direct = i < BASE_COUNT(formats) && formats[i].conversion_format == GPU_FORMAT_NONE;
    return direct && !supports_blit(device, offered->format) ? BASE_COUNT(formats) : i;
}

weir_result gpu_surface_format_choose(gpu_device *device, VkSurfaceKHR surface,
                                      gpu_surface_format *format)
{
    VkSurfaceFormatKHR offered[64];
    uint32_t count = BASE_COUNT(offered);
    size_t best = BASE_COUNT(formats);
    bool wide = true;
    WEIR_RETURN_IF_ERROR(gpu_vk_result(
        device,
        device->instance.calls.get_surface_formats(device->physical, surface, &count, offered),
        "vkGetPhysicalDeviceSurfaceFormatsKHR"));
    for (uint32_t i = 0; i < count; i++) {
        size_t place = format_rank(device, &offered[i]);
        wide &= offered[i].colorSpace != VK_COLOR_SPACE_SRGB_NONLINEAR_KHR;
        if (place >= best) continue;
        best = place;
        *format = (gpu_surface_format){offered[i], formats[place].conversion_format};
    }
    if (best < BASE_COUNT(formats)) return WEIR_OK;
    if (count > 0 && wide)
        return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                         "%s offers only HDR formats in this window, and Weir needs sRGB: turn off "
                         "HDR for the screen",
                         device->info.name);
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "%s offers no supported format for this window: none of %u is known, the "
                     "first is VkFormat %d",
                     device->info.name, count, count ? (int)offered[0].format : 0);
}

VkPresentModeKHR gpu_surface_mode_choose(const gpu_device *device, VkSurfaceKHR surface,
                                         bool tearing)
{
    VkPresentModeKHR modes[16];
    uint32_t count = BASE_COUNT(modes);
    if (!tearing ||
        device->instance.calls.get_surface_modes(device->physical, surface, &count, modes) < 0)
        return VK_PRESENT_MODE_FIFO_KHR;
    VkPresentModeKHR best = VK_PRESENT_MODE_FIFO_KHR;
    for (uint32_t i = 0; i < count; i++) {
        if (modes[i] == VK_PRESENT_MODE_IMMEDIATE_KHR) return modes[i];
        if (modes[i] == VK_PRESENT_MODE_MAILBOX_KHR) best = modes[i];
    }
    return best;
}
