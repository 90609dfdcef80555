/* Devices created by a host program: reports what they must support, and adopts them. */
#include "gpu_adopt.h"
#include "gpu_internal.h"

/* ---- before the device is created ----------------------------------------------------------- */

void gpu_requirements_fill(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                           weir_vulkan_device_requirements *needs)
{
    VkPhysicalDeviceFeatures2 offered = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    if (calls->get_features) calls->get_features(physical, &offered);
    *needs = (weir_vulkan_device_requirements){
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
                             PFN_vkGetInstanceProcAddr get_proc,
                             weir_vulkan_device_requirements *needs)
{
    gpu_instance_calls calls;
    WEIR_RETURN_IF_ERROR(gpu_calls_load(log, get_proc, instance, &calls));
    weir_device_info info;
    gpu_physical_device_describe(&calls, physical, &info);
    WEIR_RETURN_IF_ERROR(gpu_device_check_usable(log, &info));
    gpu_requirements_fill(&calls, physical, needs);
    return WEIR_OK;
}

/* A feature that Weir needs: its member of VkPhysicalDeviceVulkan13Features, and the extension
 * struct that contains only this feature. */
typedef struct feature {
    const char *name, *owner;
    VkStructureType type;
    size_t offset;
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

static VkBaseOutStructure *find_chained_struct(void *chain, VkStructureType type)
{
    VkBaseOutStructure *at = chain;
    while (at && at->sType != type)
        at = at->pNext;
    return at;
}

/* Returns the feature's flag in the chain, or NULL. All structs of a single feature have the same
 * layout. */
static VkBool32 *find_feature_flag(const void *chain, const feature *f)
{
    void *start = (void *)(uintptr_t)chain;
    VkBaseOutStructure *all =
        find_chained_struct(start, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES);
    VkBaseOutStructure *own = find_chained_struct(start, f->type);
    if (all) return (VkBool32 *)(void *)((char *)all + f->offset);
    return own ? &((VkPhysicalDeviceSynchronization2Features *)(void *)own)->synchronization2
               : NULL;
}

weir_result gpu_features_merge(const weir_log *log, weir_vulkan_device_requirements *needs,
                               VkPhysicalDeviceFeatures2 *features)
{
    const feature *found = NULL, *missing = NULL;
    for (size_t i = 0; i < BASE_COUNT(needed); i++)
        *(find_feature_flag(features, &needed[i]) ? &found : &missing) = &needed[i];
    if (found && missing)
        return base_fail(log, WEIR_ERROR_ARGUMENT,
                         "weir_vulkan_enable_features: the chain has %s but no %s: add it, or "
                         "replace both by VkPhysicalDeviceVulkan13Features",
                         found->owner, missing->owner);
    if (missing) {
        VkBaseOutStructure *last = (VkBaseOutStructure *)(void *)features;
        while (last->pNext)
            last = last->pNext;
        last->pNext = (VkBaseOutStructure *)(void *)&needs->features13;
    }
    for (size_t i = 0; i < BASE_COUNT(needed); i++)
        *find_feature_flag(features, &needed[i]) = VK_TRUE;
    features->features.independentBlend |= needs->features.independentBlend;
    return WEIR_OK;
}

/* ---- adoption ------------------------------------------------------------------------------- */

static weir_result check_features(const gpu_device *device, const weir_vulkan_host *host)
{
    char missing[128] = "";
    for (size_t i = 0; i < BASE_COUNT(needed); i++) {
        const VkBool32 *enabled = find_feature_flag(host->features, &needed[i]);
        size_t used = strlen(missing);
        if (!enabled || !*enabled)
            snprintf(missing + used, sizeof missing - used, "%s%s", used ? ", " : "",
                     needed[i].name);
    }
    if (!missing[0]) return WEIR_OK;
    return base_fail(
        &device->log, WEIR_ERROR_ARGUMENT,
        "the host's device was created without %s: enable them with weir_vulkan_enable_features, "
        "and pass in weir_vulkan_host.features what vkCreateDevice received",
        missing);
}

static weir_result check_extensions(const gpu_device *device, const weir_vulkan_host *host)
{
    weir_vulkan_device_requirements needs;
    gpu_requirements_fill(&device->instance.calls, device->physical, &needs);
    for (uint32_t i = 0; i < needs.extension_count; i++) {
        bool found = false;
        for (uint32_t k = 0; k < host->extension_count; k++)
            found |= strcmp(host->extensions[k], needs.extensions[i]) == 0;
        if (!found)
            return base_fail(
                &device->log, WEIR_ERROR_ARGUMENT,
                "the host's device was created without %s: enable the extensions that "
                "weir_vulkan_get_requirements lists, and list them in weir_vulkan_host.extensions",
                needs.extensions[i]);
    }
    return WEIR_OK;
}

static weir_result adopt_reader_queues(gpu_device *device, const weir_vulkan_host *host)
{
    uint32_t count = 0;
    device->instance.calls.get_families(device->physical, &count, NULL);
    device->families[device->family_count++] = device->queue_family;
    for (uint32_t i = 0; i < host->reader_family_count; i++) {
        uint32_t family = host->reader_families[i];
        bool known = family < count;
        for (uint32_t k = 0; k < device->family_count; k++)
            known &= device->families[k] != family;
        if (!known)
            return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                             "readers[%u] is %u, expected a queue family of %s below %u, without "
                             "duplicates, and not queue_family, which is %u",
                             i, family, device->info.name, count, device->queue_family);
        device->families[device->family_count++] = family;
    }
    return WEIR_OK;
}

static weir_result check_host_device(gpu_device *device, const weir_vulkan_host *host)
{
    WEIR_RETURN_IF_ERROR(gpu_device_check_usable(&device->log, &device->info));
    if (host->api_version < VK_API_VERSION_1_3)
        return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                         "the host's instance was created for Vulkan %u.%u, Weir needs 1.3: set "
                         "VkApplicationInfo.apiVersion and weir_vulkan_host.api_version to it",
                         VK_API_VERSION_MAJOR(host->api_version),
                         VK_API_VERSION_MINOR(host->api_version));
    WEIR_RETURN_IF_ERROR(check_features(device, host));
    WEIR_RETURN_IF_ERROR(check_extensions(device, host));
    if (!gpu_queue_find(device, VK_NULL_HANDLE))
        return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                         "queue family %u of %s does not exist or does not support compute: adopt "
                         "a queue of a family with VK_QUEUE_COMPUTE_BIT",
                         device->queue_family, device->info.name);
    return adopt_reader_queues(device, host);
}

static void adopt_host_device(gpu_device *device, const weir_vulkan_host *host)
{
    device->adopted = true;
    device->physical = host->physical;
    device->queue = host->queue;
    device->queue_family = host->queue_family;
    device->lock = host->lock;
    device->lock_user = host->lock_user;
    device->deferred = host->defer_pipelines;
    device->independent_blend = host->features->features.independentBlend;
    if (!host->allocator) return;
    device->callbacks = *host->allocator;
    device->allocator = &device->callbacks;
}

weir_result gpu_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                             gpu_device **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    gpu_device *device = base_alloc(1, sizeof *device);
    const base_blob cache = {(uint8_t *)(uintptr_t)host->pipeline_cache,
                             host->pipeline_cache ? host->pipeline_cache_size : 0};
    *out = NULL;
    if (!device) return base_fail(&def->log, WEIR_ERROR_MEMORY, "not enough memory for a device");
    device->log = def->log;
    device->serialize = def->serialize_passes;
    device->workgroup = def->workgroup_size;
    adopt_host_device(device, host);
    WEIR_GOTO_IF_ERROR(
        gpu_calls_load(&device->log, host->get_proc, host->instance, &device->instance.calls));
    gpu_physical_device_describe(&device->instance.calls, device->physical, &device->info);
    WEIR_GOTO_IF_ERROR(check_host_device(device, host));
    gpu_device_load_functions(device, host->device);
    WEIR_GOTO_IF_ERROR(gpu_device_init(device, &cache));
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
