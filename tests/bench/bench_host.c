/* What a step in a host's frame costs beside weir_sim_step: two simulations of one scene on one
 * adopted device, stepped by turns, each frame waited for. tools/bench-host builds and runs it. */
#define _POSIX_C_SOURCE 200809L
#include "weir_vulkan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { WARM = 4, MOST_PAIRS = 10000 };

typedef struct figures {
    double own, host; /* ms of a frame */
} figures;

static void need(bool holds, const char *what)
{
    if (holds) return;
    fprintf(stderr, "bench_host: %s\n", what);
    exit(1);
}

static void print_message(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    fprintf(stderr, "%s\n", text);
}
static const weir_log messages = {.write = print_message, .level = WEIR_LOG_WARNING};

/* ---- a host's device ------------------------------------------------------------------------ */

typedef struct vulkan {
    VkInstance instance;
    VkPhysicalDevice physical;
    VkDevice device;
    VkQueue queue;
    uint32_t family;
    weir_vulkan_needs needs;
    VkPhysicalDeviceFeatures2 features;
} vulkan;

static void find_family(vulkan *v)
{
    VkQueueFamilyProperties found[16];
    uint32_t count = 16;
    vkGetPhysicalDeviceQueueFamilyProperties(v->physical, &count, found);
    while (v->family < count && !(found[v->family].queueFlags & VK_QUEUE_COMPUTE_BIT))
        v->family++;
    need(v->family < count, "no queue family of the device computes");
}

static void open_vulkan(vulkan *v)
{
    uint32_t one = 1;
    const float priority = 1;
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo made = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    need(vkCreateInstance(&made, NULL, &v->instance) == VK_SUCCESS, "Vulkan gives no instance");
    vkEnumeratePhysicalDevices(v->instance, &one, &v->physical);
    need(one == 1 && weir_vulkan_requirements(&messages, v->instance, v->physical,
                                              vkGetInstanceProcAddr, &v->needs) == WEIR_OK,
         "no device runs Weir");
    find_family(v);
    v->features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
    need(weir_vulkan_merge(&messages, &v->needs, &v->features) == WEIR_OK,
         "the device lacks a feature");
    const VkDeviceQueueCreateInfo queues = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                            .queueFamilyIndex = v->family,
                                            .queueCount = 1,
                                            .pQueuePriorities = &priority};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &v->features,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queues,
                                     .enabledExtensionCount = v->needs.extension_count,
                                     .ppEnabledExtensionNames = v->needs.extensions};
    need(vkCreateDevice(v->physical, &info, NULL, &v->device) == VK_SUCCESS,
         "Vulkan gives no device");
    vkGetDeviceQueue(v->device, v->family, 0, &v->queue);
}

static weir_device *adopt(const vulkan *v)
{
    weir_device *device = NULL;
    weir_device_def def = weir_device_def_default();
    weir_vulkan_host host = weir_vulkan_host_default();
    def.log = messages;
    host.api_version = VK_API_VERSION_1_3;
    host.instance = v->instance;
    host.physical = v->physical;
    host.device = v->device;
    host.queue = v->queue;
    host.queue_family = v->family;
    host.get_proc = vkGetInstanceProcAddr;
    host.features = &v->features;
    host.extensions = v->needs.extensions;
    host.extension_count = v->needs.extension_count;
    need(weir_device_adopt(&def, &host, &device) == WEIR_OK, "Weir does not adopt the device");
    return device;
}

/* ---- frames --------------------------------------------------------------------------------- */

/* Of the process: all its threads, the driver's included. */
static double processor_ms(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e3 * (double)t.tv_sec + 1e-6 * (double)t.tv_nsec;
}

static double step(weir_sim *sim, bool as_host)
{
    weir_points *points = NULL;
    weir_vulkan_points buffers;
    double start = processor_ms();
    if (as_host) {
        need(weir_vulkan_step(sim, 0, NULL, &points) == WEIR_OK, "a step failed");
        need(weir_vulkan_points_get(points, &buffers) == WEIR_OK, "a step has no points");
        weir_points_release(&points);
    } else {
        need(weir_sim_step(sim, 0) == WEIR_OK, "a step failed");
    }
    need(weir_sim_wait(sim) == WEIR_OK, "a frame failed");
    return processor_ms() - start;
}

static int compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The value below which that share of them lies; sorts them. */
static double quantile(double *values, int count, double share)
{
    qsort(values, (size_t)count, sizeof *values, compare);
    return values[(int)(share * (count - 1) + 0.5)];
}

static void report(const figures *pairs, int count)
{
    static double own[MOST_PAIRS], host[MOST_PAIRS], ratio[MOST_PAIRS];
    for (int i = 0; i < count; i++) {
        own[i] = pairs[i].own;
        host[i] = pairs[i].host;
        ratio[i] = pairs[i].host / pairs[i].own;
    }
    printf("processor time of a frame, medians of %d pairs: %.1f ms by weir_sim_step, %.1f ms in a "
           "host's frame\n",
           count, quantile(own, count, 0.5), quantile(host, count, 0.5));
    printf("the ratio of a pair: %.3f, half of the pairs within %.3f and %.3f\n",
           quantile(ratio, count, 0.5), quantile(ratio, count, 0.25), quantile(ratio, count, 0.75));
}

static weir_scene *load(const char *path, const char *const *overrides, int count)
{
    weir_scene *scene = NULL;
    weir_scene_def def = weir_scene_def_default();
    def.log = messages;
    def.overrides = overrides;
    def.override_count = (uint32_t)count;
    need(weir_scene_load(path, &def, &scene) == WEIR_OK, "the scene cannot be loaded");
    return scene;
}

int main(int count, char **words)
{
    static figures pairs[MOST_PAIRS];
    int pair_count = count > 2 ? atoi(words[2]) : 0;
    vulkan v = {0};
    weir_sim *sims[2] = {0};
    uint64_t hashes[2];
    uint32_t particles;
    need(pair_count > 0 && pair_count <= MOST_PAIRS,
         "expected SCENE PAIRS [KEY=VALUE ...], 1 to 10000 pairs");
    open_vulkan(&v);
    weir_device *device = adopt(&v);
    weir_scene *scene = load(words[1], (const char *const *)words + 3, count - 3);
    for (int k = 0; k < 2; k++)
        need(weir_sim_create(device, scene, &sims[k]) == WEIR_OK, "the simulation cannot be made");
    for (int i = -WARM; i < pair_count; i++) {
        const int first = i & 1; /* who goes first alternates */
        double ms[2];
        for (int k = 0; k < 2; k++)
            ms[k ^ first] = step(sims[k ^ first], (k ^ first) == 1);
        if (i >= 0) pairs[i] = (figures){ms[0], ms[1]};
    }
    for (int k = 0; k < 2; k++)
        need(weir_sim_hash(sims[k], &hashes[k]) == WEIR_OK, "the state cannot be hashed");
    need(hashes[0] == hashes[1], "the two ways end with different states");
    need(weir_sim_count(sims[0], &particles) == WEIR_OK, "the particles cannot be counted");
    printf("%s, %u particles\n", words[1], particles);
    report(pairs, pair_count);
    for (int k = 0; k < 2; k++)
        weir_sim_destroy(&sims[k]);
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
    vkDestroyDevice(v.device, NULL);
    vkDestroyInstance(v.instance, NULL);
    return 0;
}
