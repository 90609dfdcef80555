/* surface: queries what a window's surface supports: queue families, image formats, present
 * modes. */
#ifndef WEIR_GPU_SURFACE_H
#define WEIR_GPU_SURFACE_H

#include "gpu_adopt.h"
#include "gpu_internal.h"

/* Creates the window's surface. Errors: UNSUPPORTED when the window provides none, or the loader
 * does not support windows. */
weir_result gpu_surface_create(gpu_device *device, const weir_window *window,
                               VkSurfaceKHR *surface);
void gpu_surface_destroy(gpu_device *device, VkSurfaceKHR *surface);

/* Reports whether a queue of this family of device->physical can present to the surface. */
bool gpu_surface_can_present(const gpu_device *device, VkSurfaceKHR surface, uint32_t family);

/* How pictures, whose colours are stored in sRGB encoding, are transferred to swapchain images. */
typedef struct gpu_surface_format {
    VkSurfaceFormatKHR of_images;
    /* Set when writing to the swapchain images would encode the colours a second time: the picture
     * is blitted to an image of this format, whose bytes are then copied. GPU_FORMAT_NONE: not
     * needed. */
    gpu_format conversion_format;
} gpu_surface_format;
/* Chooses the format of swapchain images. Errors: UNSUPPORTED when the surface has no usable
 * format. */
weir_result gpu_surface_format_choose(gpu_device *device, VkSurfaceKHR surface,
                                      gpu_surface_format *format);
VkPresentModeKHR gpu_surface_mode_choose(const gpu_device *device, VkSurfaceKHR surface,
                                         bool tearing);

#endif
