/* gpu_adopt: the side door's part of the gpu room, the only header of it that shows Vulkan types.
 */
#ifndef WEIR_GPU_ADOPT_H
#define WEIR_GPU_ADOPT_H

#include "gpu.h"

#define VK_NO_PROTOTYPES
#include "weir_vulkan.h"

weir_result gpu_requirements(const weir_log *log, VkInstance instance, VkPhysicalDevice physical,
                             PFN_vkGetInstanceProcAddr get_proc, weir_vulkan_needs *needs);
weir_result gpu_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                             gpu_device **device);

#endif
