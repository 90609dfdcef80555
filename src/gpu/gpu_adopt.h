/* gpu_adopt: devices adopted from a host program, borrowed buffers and images, and window surfaces.
 * The part of the gpu module that serves weir/vulkan.h, and its only public header that shows
 * Vulkan types. */
#ifndef WEIR_GPU_ADOPT_H
#define WEIR_GPU_ADOPT_H

#include "gpu.h"

#define VK_NO_PROTOTYPES
#include "weir/vulkan.h"

weir_result gpu_requirements(const weir_log *log, VkInstance instance, VkPhysicalDevice physical,
                             PFN_vkGetInstanceProcAddr get_proc,
                             weir_vulkan_device_requirements *needs);
weir_result gpu_features_merge(const weir_log *log, weir_vulkan_device_requirements *needs,
                               VkPhysicalDeviceFeatures2 *features);
weir_result gpu_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                             gpu_device **device);

/* Implements weir_vulkan_compile_pipelines. */
weir_result gpu_pipelines_compile(gpu_device *device, double seconds, uint32_t *left);

/* Implements weir_vulkan_get_pipeline_cache. */
weir_result gpu_pipeline_cache_get(gpu_device *device, void *bytes, size_t *size);

/* Marks `commands`, and all earlier submissions, as finished: the host has seen that the queue has
 * executed them. */
void gpu_command_buffer_finished(gpu_device *device, VkCommandBuffer commands);

bool gpu_device_is_adopted(const gpu_device *device);
/* Returns the buffer's handle for a host whose work on the adopted queue reads it from now on. */
VkBuffer gpu_buffer_share_with_host(gpu_buffer *buffer);

/* Wraps a host's buffer of at least `size` bytes for copies in the next recording; passes do not
 * bind it. Release it once that recording is submitted or abandoned. Errors: MEMORY. */
weir_result gpu_buffer_borrow(gpu_device *device, VkBuffer handle, uint64_t size,
                              gpu_buffer **buffer);
void gpu_buffer_release_borrowed(gpu_buffer **buffer);

/* An image that belongs to a host. `format` is one that gpu_format_from_vk supports, or a depth
 * format. The image is in `layout` before and after each recording. gpu_image_destroy releases the
 * wrapper only. */
typedef struct gpu_borrowed_image {
    VkImage image;
    VkImageView view;
    VkFormat format;
    VkImageLayout layout;
    uint32_t width, height;
} gpu_borrowed_image;
weir_result gpu_image_borrow(gpu_device *device, const gpu_borrowed_image *borrowed,
                             gpu_image **image);
/* Returns GPU_D32 for depth formats, and GPU_FORMAT_NONE for formats that are supported neither as
 * colour nor as depth. */
gpu_format gpu_format_from_vk(VkFormat format);

typedef struct gpu_swapchain gpu_swapchain;
/* The swapchain functions have the contracts of the weir_presenter functions. */
weir_result gpu_swapchain_create(gpu_device *device, const weir_window *window,
                                 gpu_swapchain **swapchain);
void gpu_swapchain_destroy(gpu_device *device, gpu_swapchain **swapchain);
weir_result gpu_swapchain_present(gpu_device *device, gpu_swapchain *swapchain, gpu_image *image,
                                  uint32_t width, uint32_t height);

#endif
