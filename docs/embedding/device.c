#include "device.h"

#include "picture.h"

#include <stdio.h>

static void print_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", text);
}
const weir_log messages = {.write = print_message, .level = WEIR_LOG_WARNING};

weir_device *vulkan_open(vulkan *v)
{
    uint32_t one = 1, families = 8;
    const float priority = 1;
    VkQueueFamilyProperties found[8];
    weir_vulkan_device_requirements needs;
    *v = (vulkan){0};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo made = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    need(vkCreateInstance(&made, NULL, &v->instance) == VK_SUCCESS, "Vulkan instance");
    vkEnumeratePhysicalDevices(v->instance, &one, &v->physical);
    need(one == 1, "Vulkan device");
    need(weir_vulkan_get_requirements(&messages, v->instance, v->physical, vkGetInstanceProcAddr,
                                  &needs) == WEIR_OK,
         "device that runs Weir");
    vkGetPhysicalDeviceQueueFamilyProperties(v->physical, &families, found);
    const VkQueueFlags flags = needs.queue_flags | needs.drawing_flags;
    while (v->family < families && (found[v->family].queueFlags & flags) != flags)
        v->family++;
    need(v->family < families, "queue family that computes and draws");

    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    need(weir_vulkan_enable_features(&messages, &needs, &features) == WEIR_OK, "features");
    const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueFamilyIndex = v->family,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queues,
                                     .enabledExtensionCount = needs.extension_count,
                                     .ppEnabledExtensionNames = needs.extensions};
    need(vkCreateDevice(v->physical, &info, NULL, &v->device) == VK_SUCCESS, "device");
    vkGetDeviceQueue(v->device, v->family, 0, &v->queue);

    weir_device *weir = NULL;
    weir_device_def def = weir_device_def_default();
    weir_vulkan_host host = weir_vulkan_host_default();
    def.log = messages;
    host.api_version = application.apiVersion;
    host.instance = v->instance;
    host.physical = v->physical;
    host.device = v->device;
    host.queue = v->queue;
    host.queue_family = v->family;
    host.get_proc = vkGetInstanceProcAddr;
    host.features = &features;
    host.extensions = needs.extensions;
    host.extension_count = needs.extension_count;
    need(weir_device_adopt(&def, &host, &weir) == WEIR_OK, "Weir on this device");
    return weir;
}

void vulkan_close(vulkan *v)
{
    vkDestroyDevice(v->device, NULL);
    vkDestroyInstance(v->instance, NULL);
}
