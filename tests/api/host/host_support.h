/* A host with a Vulkan of its own: its volk, an instance with validation, a device, a queue and
   the queue's lock. Its tests link to the library that users get, so the host's volk and Weir's
   are two. On Windows there is no validation: Wine cannot load its layer. */
#ifndef WEIR_TESTS_HOST_SUPPORT_H
#define WEIR_TESTS_HOST_SUPPORT_H

#define VK_NO_PROTOTYPES
#include "weir/vulkan.h"

#include "kept_log.h"

#include <pthread.h>

#include <volk.h>

#define COUNT_OF(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

typedef struct host {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkDebugUtilsMessengerEXT messenger;
    weir_vulkan_device_requirements needs;
    /* its chain: timeline semaphores, and the features of `needs` */
    VkPhysicalDeviceFeatures2 features;
    VkPhysicalDeviceTimelineSemaphoreFeatures timelines;
    pthread_mutex_t mutex;
    uint32_t family, locks, depth;
} host;

void make_device(host *h);
int open_host(void **state);
int close_host(void **state);
void lock(void *user, bool locked);
void begin_commands(VkCommandBuffer commands);

/* Submits commands. The device waits for the semaphore, if there is one. Does not wait for
   completion; the fence, if there is one, signals it. */
void submit_commands(host *h, VkCommandBuffer commands, VkSemaphore after, VkFence fence);

VkSemaphore make_timeline(const host *h);
weir_vulkan_host hand_over(host *h);
weir_device *adopt(host *h, weir_vulkan_host vulkan, const char *cache);
weir_scene *parse(const char *text);

#endif
