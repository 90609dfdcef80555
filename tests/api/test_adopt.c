/* A host with a Vulkan of its own: its volk, its instance, its device, its queue and the queue's
 * lock. Linked with the archive that users get, so that the host's volk and Weir's are two. */
#define _XOPEN_SOURCE 700
#define VK_NO_PROTOTYPES
#include "weir_vulkan.h"

#include <glob.h>
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define VOLK_IMPLEMENTATION
#include <volk.h>

#define SCENE                                                                             \
    "{\"name\": \"adopted\", \"domain\": {\"min\": [0, 0, 0], \"max\": [0.5, 0.5, 0.3]}," \
    " \"frame_rate\": 60, \"duration\": 0.1, \"spacing\": 0.05,"                          \
    " \"solver\": {\"substeps\": 2, \"iterations\": 2},"                                  \
    " \"fluids\": [{\"name\": \"water\", \"fill\": {\"shape\": {\"box\":"                 \
    " {\"min\": [0, 0, 0], \"max\": [0.3, 0.25, 0.3]}}}}]}"
#define FRAMES 4

/* ---- the host ------------------------------------------------------------------------------- */

typedef struct host {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    VkBuffer buffer; /* something of its own */
    VkDebugUtilsMessengerEXT messenger;
    weir_vulkan_needs needs;
    pthread_mutex_t mutex;
    uint32_t family, locks, depth;
} host;

static char logged[4096];
static uint32_t complaints; /* of validation */

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    size_t used = strlen(logged);
    snprintf(logged + used, sizeof logged - used, "%s\n", text);
}

static weir_log kept_log(void)
{
    logged[0] = '\0';
    return (weir_log){.write = keep, .level = WEIR_LOG_WARNING};
}

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

static void make_instance(host *h)
{
    static const char *const layer = "VK_LAYER_KHRONOS_validation";
    static const char *const extension = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .pApplicationName = "host",
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application,
                                       .enabledLayerCount = 1,
                                       .ppEnabledLayerNames = &layer,
                                       .enabledExtensionCount = 1,
                                       .ppEnabledExtensionNames = &extension};
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
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(h->physical, &count, families);
    for (h->family = 0; h->family < count; h->family++)
        if ((families[h->family].queueFlags & h->needs.queue_flags) == h->needs.queue_flags) return;
    fail_msg("no queue family does what Weir needs");
}

static void make_device(host *h)
{
    const float priority = 1.0f;
    const VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                           .queueFamilyIndex = h->family,
                                           .queueCount = 1,
                                           .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &h->needs.features13,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .enabledExtensionCount = h->needs.extension_count,
                                     .ppEnabledExtensionNames = h->needs.extensions};
    const VkBufferCreateInfo buffer = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
                                       .size = 64,
                                       .usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT};
    assert_int_equal(vkCreateDevice(h->physical, &info, NULL, &h->device), VK_SUCCESS);
    volkLoadDevice(h->device);
    vkGetDeviceQueue(h->device, h->family, 0, &h->queue);
    assert_int_equal(vkCreateBuffer(h->device, &buffer, NULL, &h->buffer), VK_SUCCESS);
}

static int open_host(void **state)
{
    host *h = calloc(1, sizeof *h);
    uint32_t one = 1;
    const weir_log log = kept_log();
    make_instance(h);
    vkEnumeratePhysicalDevices(h->instance, &one, &h->physical);
    assert_int_equal(
        weir_vulkan_requirements(&log, h->instance, h->physical, vkGetInstanceProcAddr, &h->needs),
        WEIR_OK);
    assert_true(h->needs.api_version >= VK_API_VERSION_1_3);
    assert_null(h->needs.features13.pNext);
    choose_family(h);
    make_device(h);
    pthread_mutex_init(&h->mutex, NULL);
    *state = h;
    return 0;
}

static int close_host(void **state)
{
    host *h = *state;
    vkDestroyBuffer(h->device, h->buffer, NULL);
    vkDestroyDevice(h->device, NULL); /* validation tells of anything that Weir left behind */
    vkDestroyDebugUtilsMessengerEXT(h->instance, h->messenger, NULL);
    vkDestroyInstance(h->instance, NULL);
    pthread_mutex_destroy(&h->mutex);
    free(h);
    return complaints == 0 ? 0 : -1;
}

static void lock(void *user, bool locked)
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

static weir_vulkan_host hand_over(host *h)
{
    return (weir_vulkan_host){.instance = h->instance,
                              .physical = h->physical,
                              .device = h->device,
                              .queue = h->queue,
                              .queue_family = h->family,
                              .get_proc = vkGetInstanceProcAddr,
                              .lock = lock,
                              .lock_user = h};
}

/* Does the host's Vulkan still work? An empty submission on the shared queue. */
static void use_queue(host *h)
{
    VkFence fence = VK_NULL_HANDLE;
    const VkFenceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO};
    assert_int_equal(vkCreateFence(h->device, &info, NULL, &fence), VK_SUCCESS);
    pthread_mutex_lock(&h->mutex);
    VkResult result = vkQueueSubmit(h->queue, 0, NULL, fence);
    pthread_mutex_unlock(&h->mutex);
    assert_int_equal(result, VK_SUCCESS);
    assert_int_equal(vkWaitForFences(h->device, 1, &fence, VK_TRUE, UINT64_MAX), VK_SUCCESS);
    vkDestroyFence(h->device, fence, NULL);
}

/* ---- runs ----------------------------------------------------------------------------------- */

static weir_device *adopt(host *h, weir_vulkan_host vulkan, const char *cache)
{
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    def.cache_folder = cache;
    if (weir_device_adopt(&def, &vulkan, &device) != WEIR_OK) fail_msg("%s", logged);
    assert_int_equal(h->depth, 0);
    return device;
}

static void run(weir_device *device, host *h, uint64_t hashes[FRAMES])
{
    weir_scene *scene = NULL;
    weir_sim *sim = NULL;
    weir_scene_def def = weir_scene_def_default();
    assert_int_equal(weir_scene_parse(SCENE, strlen(SCENE), &def, &scene), WEIR_OK);
    assert_int_equal(weir_sim_create(device, scene, &sim), WEIR_OK);
    for (int f = 0; f < FRAMES; f++) {
        assert_int_equal(weir_sim_step(sim, 0), WEIR_OK);
        if (h) use_queue(h);
        assert_int_equal(weir_sim_hash(sim, &hashes[f]), WEIR_OK);
    }
    weir_sim_destroy(&sim);
    weir_scene_destroy(&scene);
}

static weir_device *open_own(const host *h, bool validation)
{
    VkPhysicalDeviceProperties properties;
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    vkGetPhysicalDeviceProperties(h->physical, &properties);
    def.log = kept_log();
    def.device = properties.deviceName;
    def.cache_folder = "";
    def.validation = validation;
    assert_int_equal(weir_device_create(&def, &device), WEIR_OK);
    return device;
}

static void a_hosts_device_gives_the_bits_of_weirs_own(void **state)
{
    host *h = *state;
    uint64_t adopted[FRAMES], own[FRAMES];
    weir_device *device = adopt(h, hand_over(h), "");
    h->locks = 0;
    run(device, h, adopted);
    assert_true(h->locks >= FRAMES); /* every submission was under the host's lock */
    assert_int_equal(weir_device_validation_count(device), 0);
    weir_device_destroy(&device);
    assert_null(device);
    device = open_own(h, false);
    run(device, NULL, own);
    weir_device_destroy(&device);
    assert_memory_equal(adopted, own, sizeof own);
}

static void hosts_objects_outlive_weirs_device(void **state)
{
    host *h = *state;
    VkMemoryRequirements needs;
    weir_device *device = adopt(h, hand_over(h), "");
    weir_device_destroy(&device);
    use_queue(h);
    vkGetBufferMemoryRequirements(h->device, h->buffer, &needs);
    assert_true(needs.size >= 64);
}

static PFN_vkVoidFunction VKAPI_PTR get_plain(VkInstance instance, const char *name)
{
    return strstr(name, "DebugUtils") ? NULL : vkGetInstanceProcAddr(instance, name);
}

/* The host's and Weir's own stand side by side, made and destroyed in either order. What one loader
 * does not have, the other device keeps. */
static void adopted_and_own_devices_live_side_by_side(void **state)
{
    host *h = *state;
    uint64_t first[FRAMES], second[FRAMES];
    weir_vulkan_host vulkan = hand_over(h);
    vulkan.get_proc = get_plain;
    for (int order = 0; order < 2; order++) {
        weir_device *own = order ? open_own(h, true) : NULL;
        weir_device *adopted = adopt(h, vulkan, "");
        if (!own) own = open_own(h, true);
        run(own, NULL, first);
        run(adopted, h, second);
        assert_memory_equal(first, second, sizeof first);
        assert_int_equal(weir_device_validation_count(own), 0);
        weir_device_destroy(order ? &adopted : &own);
        run(order ? own : adopted, NULL, second);
        assert_memory_equal(first, second, sizeof first);
        weir_device_destroy(&own);
        weir_device_destroy(&adopted);
        use_queue(h);
    }
}

static void a_host_without_lock_and_loader_is_served_too(void **state)
{
    host *h = *state;
    uint64_t hashes[FRAMES];
    weir_vulkan_host vulkan = hand_over(h);
    vulkan.lock = NULL;
    vulkan.get_proc = NULL;
    weir_device *device = adopt(h, vulkan, "");
    run(device, h, hashes);
    weir_device_destroy(&device);
}

static void an_adopted_device_writes_no_cache(void **state)
{
    host *h = *state;
    char folder[] = "/tmp/weir-adopt-XXXXXX", pattern[64], command[64];
    uint64_t hashes[FRAMES];
    glob_t found;
    assert_non_null(mkdtemp(folder));
    weir_device *device = adopt(h, hand_over(h), folder);
    run(device, h, hashes);
    weir_device_destroy(&device);
    snprintf(pattern, sizeof pattern, "%s/*", folder);
    assert_int_equal(glob(pattern, 0, NULL, &found), GLOB_NOMATCH);
    snprintf(command, sizeof command, "rm -rf %s", folder);
    assert_int_equal(system(command), 0);
}

static void a_queue_family_that_is_none_is_refused(void **state)
{
    host *h = *state;
    weir_vulkan_host vulkan = hand_over(h);
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    def.log = kept_log();
    vulkan.queue_family = 77;
    assert_int_equal(weir_device_adopt(&def, &vulkan, &device), WEIR_ARGUMENT);
    assert_null(device);
    assert_non_null(strstr(logged, "queue family 77"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_hosts_device_gives_the_bits_of_weirs_own),
        cmocka_unit_test(hosts_objects_outlive_weirs_device),
        cmocka_unit_test(adopted_and_own_devices_live_side_by_side),
        cmocka_unit_test(a_host_without_lock_and_loader_is_served_too),
        cmocka_unit_test(an_adopted_device_writes_no_cache),
        cmocka_unit_test(a_queue_family_that_is_none_is_refused),
    };
    return cmocka_run_group_tests(tests, open_host, close_host);
}
