/* The device that the program makes for itself and lends to Weir. Errors end the program. */
#ifndef DEVICE_H
#define DEVICE_H

#include "weir/vulkan.h"

typedef struct vulkan {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue; /* of a family that computes and draws */
    uint32_t family;
} vulkan;

extern const weir_log messages; /* onto standard error */

weir_device *vulkan_open(vulkan *v);
/* Behind weir_device_destroy. */
void vulkan_close(vulkan *v);

#endif
