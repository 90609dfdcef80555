/* surface: what a window's surface says of devices and of pictures. */
#ifndef WEIR_GPU_SURFACE_H
#define WEIR_GPU_SURFACE_H

#include "gpu_adopt.h"
#include "gpu_internal.h"

/* Errors: UNSUPPORTED when the window gives none, or the loader knows no windows. */
weir_result gpu_surface_create(gpu_device *device, const weir_window *window,
                               VkSurfaceKHR *surface);
void gpu_surface_destroy(gpu_device *device, VkSurfaceKHR *surface);

/* Can a queue of this family of device->physical show pictures there? */
bool gpu_surface_can_present(const gpu_device *device, VkSurfaceKHR surface, uint32_t family);

/* How pictures, whose colours are stored as sRGB has them, get into a swapchain's images. */
typedef struct gpu_surface_format {
    VkSurfaceFormatKHR of_images;
    gpu_format
        conversion_format; /* images would convert the colours once more: the picture goes into an
                    image of this format, whose bytes are then copied; GPU_FORMAT_NONE: no need */
} gpu_surface_format;
/* Errors: UNSUPPORTED when no format of the surface will do. */
weir_result gpu_surface_format_choose(gpu_device *device, VkSurfaceKHR surface,
                                      gpu_surface_format *format);
VkPresentModeKHR gpu_surface_mode_choose(const gpu_device *device, VkSurfaceKHR surface,
                                         bool tearing);

#endif
