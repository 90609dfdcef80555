/* Devices that a host has made: what it needs to know before, and what is taken over. */
#include "gpu_adopt.h"
#include "gpu_internal.h"

/* ---- before the device is made -------------------------------------------------------------- */

void gpu_needs_fill(const gpu_calls *calls, VkPhysicalDevice physical, weir_vulkan_needs *needs)
{
    VkPhysicalDeviceFeatures2 offered = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    if (calls->get_features) calls->get_features(physical, &offered);
    *needs = (weir_vulkan_needs){
        .api_version = VK_API_VERSION_1_3,
        .queue_flags = VK_QUEUE_COMPUTE_BIT,
        .drawing_flags = VK_QUEUE_GRAPHICS_BIT,
        .features = {.independentBlend = offered.features.independentBlend},
        .features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                       .synchronization2 = VK_TRUE,
                       .dynamicRendering = VK_TRUE,
                       .maintenance4 = VK_TRUE}, /* for local_size_x_id */
    };
    if (gpu_has_extension(calls, physical, "VK_KHR_portability_subset"))
        needs->extensions[needs->extension_count++] = "VK_KHR_portability_subset";
}

weir_result gpu_requirements(const weir_log *log, VkInstance instance, VkPhysicalDevice physical,
                             PFN_vkGetInstanceProcAddr get_proc, weir_vulkan_needs *needs)
{
    gpu_calls calls;
    WEIR_NEED(gpu_calls_load(log, get_proc, instance, &calls));
    weir_device_info info;
    gpu_describe(&calls, physical, &info);
    WEIR_NEED(gpu_usable_check(log, &info));
    gpu_needs_fill(&calls, physical, needs);
    return WEIR_OK;
}

/* A feature that Weir needs: its place in VkPhysicalDeviceVulkan13Features, and the struct that
 * holds it alone. */
typedef struct feature {
    const char *name, *owner;
    VkStructureType type;
    size_t place;
} feature;

static const feature needed[] = {
    {"synchronization2", "VkPhysicalDeviceSynchronization2Features",
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SYNCHRONIZATION_2_FEATURES,
     offsetof(VkPhysicalDeviceVulkan13Features, synchronization2)},
    {"dynamicRendering", "VkPhysicalDeviceDynamicRenderingFeatures",
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DYNAMIC_RENDERING_FEATURES,
     offsetof(VkPhysicalDeviceVulkan13Features, dynamicRendering)},
    {"maintenance4", "VkPhysicalDeviceMaintenance4Features",
     VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_FEATURES,
     offsetof(VkPhysicalDeviceVulkan13Features, maintenance4)},
};

static VkBaseOutStructure *find_struct(void *chain, VkStructureType type)
{
    VkBaseOutStructure *at = chain;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

/* Where the chain has the feature; NULL: nowhere. All structs of one feature look alike. */
static VkBool32 *find_feature(const void *chain, const feature *f)
{
    void *start = (void *)(uintptr_t)chain;
    VkBaseOutStructure *all =
        find_struct(start, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    VkBaseOutStructure *own = find_struct(start, f->type);
    if (all) return (VkBool32 *)(void *)((char *)all + f->place);
    return own ? &((VkPhysicalDeviceSynchronization2Features *)(void *)own)->synchronization2
               : NULL;
}

weir_result gpu_merge(const weir_log *log, weir_vulkan_needs *needs,
                      VkPhysicalDeviceFeatures2 *features)
{
    const feature *found = NULL, *missing = NULL;
    for (size_t i = 0; i < BASE_COUNT(needed); i++)
        *(find_feature(features, &needed[i]) ? &found : &missing) = &needed[i];
    if (found && missing)
        return base_fail(log, WEIR_ARGUMENT,
                         "weir_vulkan_merge: the chain has %s but no %s: add that, or put "
                         "VkPhysicalDeviceVulkan13Features in place of both",
                         found->owner, missing->owner);
    if (missing) {
        VkBaseOutStructure *last = (VkBaseOutStructure *)(void *)features;
        while (last->pNext)
            last = last->pNext;
        last->pNext = (VkBaseOutStructure *)(void *)&needs->features13;
    }
    for (size_t i = 0; i < BASE_COUNT(needed); i++)
        *find_feature(features, &needed[i]) = VK_TRUE;
    features->features.independentBlend |= needs->features.independentBlend;
    return WEIR_OK;
}

/* ---- taking it over ------------------------------------------------------------------------- */

static weir_result check_features(const gpu_device *device, const weir_vulkan_host *host)
{
    char missing[128] = "";
    for (size_t i = 0; i < BASE_COUNT(needed); i++) {
        const VkBool32 *enabled = find_feature(host->features, &needed[i]);
        size_t used = strlen(missing);
        if (!enabled || !*enabled)
            snprintf(missing + used, sizeof missing - used, "%s%s", used ? ", " : "",
                     needed[i].name);
    }
    if (!missing[0]) return WEIR_OK;
    return base_fail(&device->log, WEIR_ARGUMENT,
                     "the host's device was made without %s: switch them on by weir_vulkan_merge, "
                     "and give weir_vulkan_host.features as vkCreateDevice got them",
                     missing);
}

static weir_result check_extensions(const gpu_device *device, const weir_vulkan_host *host)
{
    weir_vulkan_needs needs;
    gpu_needs_fill(&device->instance.calls, device->physical, &needs);
    for (uint32_t i = 0; i < needs.extension_count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < host->extension_count; k++)
            found |= strcmp(host->extensions[k], needs.extensions[i]) == 0;
        if (!found)
            return base_fail(&device->log, WEIR_ARGUMENT,
                             "the host's device was made without %s: enable the extensions that "
                             "weir_vulkan_requirements lists, and name them in "
                             "weir_vulkan_host.extensions",
                             needs.extensions[i]);
    }
    return WEIR_OK;
}

static weir_result take_readers(gpu_device *device, const weir_vulkan_host *host)
{
    uint32_t count = 0;
    device->instance.calls.get_families(device->physical, &count, NULL);
    device->families[device->family_count++] = device->queue_family;
    for (uint32_t i = 0; i < host->reader_count; i++) {
        uint32_t family = host->readers[i];
        bool known = family < count;
        for (uint32_t k = 0; k < device->family_count; k++)
            known &= device->families[k] != family;
        if (!known)
            return base_fail(&device->log, WEIR_ARGUMENT,
                             "readers[%u] is %u, expected a queue family of %s below %u, none "
                             "twice and not queue_family, which is %u",
                             i, family, device->info.name, count, device->queue_family);
        device->families[device->family_count++] = family;
    }
    return WEIR_OK;
}

static weir_result check_host(gpu_device *device, const weir_vulkan_host *host)
{
    WEIR_NEED(gpu_usable_check(&device->log, &device->info));
    if (host->api_version < VK_API_VERSION_1_3)
        return base_fail(&device->log, WEIR_ARGUMENT,
                         "the host's instance was made for Vulkan %u.%u, Weir needs 1.3: set "
                         "VkApplicationInfo.apiVersion, and weir_vulkan_host.api_version alike",
                         VK_API_VERSION_MAJOR(host->api_version),
                         VK_API_VERSION_MINOR(host->api_version));
    WEIR_NEED(check_features(device, host));
    WEIR_NEED(check_extensions(device, host));
    if (!gpu_queue_find(device, VK_NULL_HANDLE))
        return base_fail(&device->log, WEIR_ARGUMENT,
                         "queue family %u of %s does not exist or does not compute: adopt a queue "
                         "of a family with VK_QUEUE_COMPUTE_BIT",
                         device->queue_family, device->info.name);
    return take_readers(device, host);
}

static void take_host(gpu_device *device, const weir_vulkan_host *host)
{
    device->adopted = true;
    device->physical = host->physical;
    device->queue = host->queue;
    device->queue_family = host->queue_family;
    device->lock = host->lock;
    device->lock_user = host->lock_user;
    device->deferred = host->deferred;
    device->blends_apart = host->features->features.independentBlend;
    if (!host->allocator) return;
    device->callbacks = *host->allocator;
    device->allocator = &device->callbacks;
}

weir_result gpu_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                             gpu_device **out)
{
    weir_result result = WEIR_MEMORY;
    gpu_device *device = base_alloc(1, sizeof *device);
    const base_blob cache = {(uint8_t *)(uintptr_t)host->cache, host->cache ? host->cache_size : 0};
    *out = NULL;
    if (!device) return base_fail(&def->log, WEIR_MEMORY, "no memory for a device");
    device->log = def->log;
    device->serialize = def->serialize;
    device->workgroup = def->workgroup;
    take_host(device, host);
    WEIR_TRY(gpu_calls_load(&device->log, host->get_proc, host->instance, &device->instance.calls));
    gpu_describe(&device->instance.calls, device->physical, &device->info);
    WEIR_TRY(check_host(device, host));
    gpu_device_load(device, host->device);
    WEIR_TRY(gpu_device_finish(device, &cache));
    *out = device;
    return WEIR_OK;
fail:
    gpu_device_destroy(&device);
    return result;
}

bool gpu_device_is_adopted(const gpu_device *device)
{
    return device->adopted;
}
