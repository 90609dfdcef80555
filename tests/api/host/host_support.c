#define VOLK_IMPLEMENTATION /* the host's own volk */
#include "host_support.h"

static uint32_t complaints; /* number of validation messages */

static VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    (void)severity;
    (void)types;
    (void)user;
    complaints++;
    print_error("  %s\n", data->pMessage);
    return VK_FALSE;
}

#ifdef _WIN32
static const bool validates = false;
#else
static const bool validates = true;
#endif

static void make_instance(host *h)
{
    static const char *const layer = "VK_LAYER_KHRONOS_validation";
    static const char *const extensions[] = {VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
                                             VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME};
    static const VkValidationFeatureEnableEXT enabled =
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT;
    const VkValidationFeaturesEXT checks = {.sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
                                            .enabledValidationFeatureCount = 1,
                                            .pEnabledValidationFeatures = &enabled};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "host",
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pNext = validates ? &checks : NULL,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = validates ? 1 : 0,
                                       .ppEnabledLayerNames = &layer,
                                       .enabledExtensionCount = validates ? 2 : 1,
                                       .ppEnabledExtensionNames = extensions};
    const VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT,
        .pfnUserCallback = on_message,
    };
    assert_int_equal(volkInitialize(), VK_SUCCESS);
    assert_int_equal(vkCreateInstance(&info, NULL, &h->instance), VK_SUCCESS);
    volkLoadInstance(h->instance);
    assert_int_equal(vkCreateDebugUtilsMessengerEXT(h->instance, &messenger, NULL, &h->messenger),
                     VK_SUCCESS);
}

static void choose_family(host *h)
{
    VkQueueFamilyProperties families[16];
    VkQueueFlags wanted = h->needs.queue_flags | h->needs.drawing_flags;
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(h->physical, &count, families);
    for (h->family = 0; h->family < count; h->family++)
        if ((families[h->family].queueFlags & wanted) == wanted) return;
    fail_msg("no queue family does what Weir needs");
}

void make_device(host *h)
{
    const float priority = 1.0f;
    const weir_log log = kept_log();
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = h->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &h->features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = h->needs.extension_count,
                                     .ppEnabledExtensionNames = h->needs.extensions};
    h->timelines = (VkPhysicalDeviceTimelineSemaphoreFeatures){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
        .timelineSemaphore = VK_TRUE};
    h->features = (VkPhysicalDeviceFeatures2){.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                              .pNext = &h->timelines};
    assert_int_equal(weir_vulkan_enable_features(&log, &h->needs, &h->features), WEIR_OK);
    assert_int_equal(vkCreateDevice(h->physical, &info, NULL, &h->device), VK_SUCCESS);
    volkLoadDevice(h->device);
    vkGetDeviceQueue(h->device, h->family, 0, &h->queue);
}

int open_host(void **state)
{
    host *h = calloc(1, sizeof *h);
    uint32_t one = 1;
    const weir_log log = kept_log();
    make_instance(h);
    vkEnumeratePhysicalDevices(h->instance, &one, &h->physical);
    assert_int_equal(weir_vulkan_get_requirements(&log, h->instance, h->physical,
                                                  vkGetInstanceProcAddr, &h->needs),
                     WEIR_OK);
    choose_family(h);
    make_device(h);
    pthread_mutex_init(&h->mutex, NULL);
    *state = h;
    return 0;
}

int close_host(void **state)
{
    host *h = *state;
    vkDestroyDevice(h->device, NULL); /* validation reports anything that Weir left behind */
    vkDestroyDebugUtilsMessengerEXT(h->instance, h->messenger, NULL);
    vkDestroyInstance(h->instance, NULL);
    pthread_mutex_destroy(&h->mutex);
    free(h);
    return complaints == 0 ? 0 : -1;
}

void lock(void *user, bool locked)
{
    host *h = user;
    if (locked) {
        pthread_mutex_lock(&h->mutex);
        h->locks++;
        h->depth++;
    } else {
        h->depth--;
        pthread_mutex_unlock(&h->mutex);
    }
}

void begin_commands(VkCommandBuffer commands)
{
    const VkCommandBufferBeginInfo begin = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO};
    assert_int_equal(vkBeginCommandBuffer(commands, &begin), VK_SUCCESS);
}

void submit_commands(host *h, VkCommandBuffer commands, VkSemaphore after, VkFence fence)
{
    const VkPipelineStageFlags all = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
    const VkSubmitInfo info = {.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
                               .waitSemaphoreCount = after ? 1 : 0,
                               .pWaitSemaphores = &after,
                               .pWaitDstStageMask = &all,
                               .commandBufferCount = 1,
                               .pCommandBuffers = &commands};
    assert_int_equal(vkEndCommandBuffer(commands), VK_SUCCESS);
    lock(h, true);
    VkResult code = vkQueueSubmit(h->queue, 1, &info, fence);
    lock(h, false);
    assert_int_equal(code, VK_SUCCESS);
}

VkSemaphore make_timeline(const host *h)
{
    VkSemaphore semaphore = VK_NULL_HANDLE;
    const VkSemaphoreTypeCreateInfo type = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
                                            .semaphoreType = VK_SEMAPHORE_TYPE_TIMELINE};
    const VkSemaphoreCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
                                        .pNext = &type};
    assert_int_equal(vkCreateSemaphore(h->device, &info, NULL, &semaphore), VK_SUCCESS);
    return semaphore;
}

weir_vulkan_host hand_over(host *h)
{
    weir_vulkan_host vulkan = weir_vulkan_host_default();
    vulkan.api_version = VK_API_VERSION_1_3;
    vulkan.instance = h->instance;
    vulkan.physical = h->physical;
    vulkan.device = h->device;
    vulkan.queue = h->queue;
    vulkan.queue_family = h->family;
    vulkan.get_proc = vkGetInstanceProcAddr;
    vulkan.features = &h->features;
    vulkan.extensions = h->needs.extensions;
    vulkan.extension_count = h->needs.extension_count;
    vulkan.lock = lock;
    vulkan.lock_user = h;
    return vulkan;
}

weir_device *adopt(host *h, weir_vulkan_host vulkan, const char *cache)
{
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    def.cache_folder = cache;
    if (weir_device_adopt(&def, &vulkan, &device) != WEIR_OK) fail_msg("%s", logged);
    assert_int_equal(h->depth, 0);
    return device;
}

weir_scene *parse(const char *text)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = kept_log();
    if (weir_scene_parse(text, strlen(text), &def, &scene) != WEIR_OK) fail_msg("%s", logged);
    return scene;
}
