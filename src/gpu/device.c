/* Device: chosen, opened or adopted; its queue, caches and memory account. */
#include "gpu_adopt.h"
#include "gpu_internal.h"

#include <stdlib.h>

weir_result gpu_vk_failed(gpu_device *device, VkResult code, const char *what)
{
    if (code == VK_ERROR_DEVICE_LOST) {
        if (device->lost == VK_SUCCESS)
            base_log(&device->log, WEIR_LOG_ERROR,
                     "%s lost: %.60s; restart and resume from the last checkpoint",
                     device->info.name, what);
        device->lost = code;
        return WEIR_DEVICE_LOST;
    }
    bool memory = code == VK_ERROR_OUT_OF_DEVICE_MEMORY || code == VK_ERROR_OUT_OF_HOST_MEMORY;
    return base_fail(&device->log, memory ? WEIR_MEMORY : WEIR_UNSUPPORTED,
                     "Vulkan call failed with code %d: %.80s", (int)code, what);
}

/* ---- choice -------------------------------------------------------------------------------- */

static bool names_device(const char *wanted, uint32_t index, const char *name)
{
    char *end = NULL;
    unsigned long number = strtoul(wanted, &end, 10);
    if (end != wanted && *end == '\0') return number == index;
    size_t length = strlen(wanted);
    for (const char *at = name; *at; at++) {
        size_t i = 0;
        while (i < length && at[i] && (at[i] | 32) == (wanted[i] | 32))
            i++;
        if (i == length) return true;
    }
    return false;
}

static weir_result choose(gpu_device *device, const char *wanted)
{
    VkPhysicalDevice list[GPU_MAX_DEVICES];
    uint32_t count = GPU_MAX_DEVICES;
    weir_result result = gpu_physical_list(&device->log, device->instance.handle, list, &count);
    if (result != WEIR_OK) return result;
    if (count == 0)
        return base_fail(&device->log, WEIR_UNSUPPORTED,
                         "no Vulkan device: install a driver, or lavapipe to run on the CPU "
                         "(Debian: apt-get install mesa-vulkan-drivers)");
    for (uint32_t i = 0; i < count; i++) {
        gpu_describe(list[i], &device->info);
        if (wanted && !names_device(wanted, i, device->info.name)) continue;
        if (device->info.unusable[0])
            return base_fail(&device->log, WEIR_UNSUPPORTED, "%s cannot be used: %s",
                             device->info.name, device->info.unusable);
        device->physical = list[i];
        return WEIR_OK;
    }
    return base_fail(&device->log, WEIR_ARGUMENT,
                     "no device is called \"%s\": give a number from 0 to %u or part of a name; "
                     "weir info lists them",
                     wanted, count - 1);
}

/* ---- opening ----------------------------------------------------------------------------------
 */

static bool has_device_extension(VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    if (vkEnumerateDeviceExtensionProperties(physical, NULL, &count, NULL) < 0) return false;
    VkExtensionProperties *list = base_alloc(count, sizeof *list);
    bool found = false;
    if (list && vkEnumerateDeviceExtensionProperties(physical, NULL, &count, list) >= 0)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(list[i].extensionName, name) == 0;
    base_free(list);
    return found;
}

static void find_queue(gpu_device *device)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = BASE_COUNT(families);
    vkGetPhysicalDeviceQueueFamilyProperties(device->physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (device->adopted ? i != device->queue_family
                            : !(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT))
            continue;
        device->queue_family = i;
        device->timestamp_bits = families[i].timestampValidBits;
        return;
    }
}

static void fill_needs(VkPhysicalDevice physical, weir_vulkan_needs *needs)
{
    *needs = (weir_vulkan_needs){
        .api_version = VK_API_VERSION_1_3,
        .queue_flags = VK_QUEUE_COMPUTE_BIT,
        .features13 = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                       .synchronization2 = VK_TRUE,
                       .maintenance4 = VK_TRUE}, /* for local_size_x_id */
    };
    if (has_device_extension(physical, "VK_KHR_portability_subset"))
        needs->extensions[needs->extension_count++] = "VK_KHR_portability_subset";
}

static weir_result open_device(gpu_device *device)
{
    weir_result result = WEIR_OK;
    weir_vulkan_needs needs;
    fill_needs(device->physical, &needs);
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = device->queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &needs.features13,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = needs.extension_count,
        .ppEnabledExtensionNames = needs.extensions,
    };
    GPU_VK(device, vkCreateDevice(device->physical, &info, NULL, &device->handle));
    volkLoadDeviceTable(&device->vk, device->handle);
    device->vk.vkGetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
fail:
    return result;
}

/* ---- pipeline cache on disk ---------------------------------------------------------------------
 */

static char *pipeline_cache_path(const gpu_device *device)
{
    if (!device->cache_folder) return NULL;
    uint64_t key = base_hash64(device->info.name, strlen(device->info.name), 0);
    key = base_hash64(device->info.driver, strlen(device->info.driver), key);
    return base_format("%s/pipelines-%016llx.bin", device->cache_folder, (unsigned long long)key);
}

static weir_result load_pipeline_cache(gpu_device *device)
{
    weir_result result = WEIR_OK;
    base_blob blob = {0};
    char *path = pipeline_cache_path(device);
    if (path && base_path_is_file(path)) base_file_read(&device->log, path, 256u << 20, &blob);
    VkPipelineCacheCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_CACHE_CREATE_INFO,
        .initialDataSize = blob.size, /* the driver checks the header and ignores a foreign one */
        .pInitialData = blob.bytes,
    };
    GPU_VK(device,
           device->vk.vkCreatePipelineCache(device->handle, &info, NULL, &device->pipeline_cache));
fail:
    base_blob_free(&blob);
    base_free(path);
    return result;
}

static void save_pipeline_cache(gpu_device *device)
{
    char *path = pipeline_cache_path(device);
    size_t size = 0;
    void *bytes = NULL;
    if (path && device->vk.vkGetPipelineCacheData(device->handle, device->pipeline_cache, &size,
                                                  NULL) == VK_SUCCESS)
        bytes = base_alloc(size, 1);
    if (bytes && device->vk.vkGetPipelineCacheData(device->handle, device->pipeline_cache, &size,
                                                   bytes) == VK_SUCCESS)
        base_file_write(&device->log, path, bytes, size);
    base_free(bytes);
    base_free(path);
}

static weir_result open_cache_folder(gpu_device *device, const char *folder)
{
    if (folder && folder[0] == '\0') return WEIR_OK;
    device->cache_folder = folder ? base_strdup(folder) : base_cache_folder();
    if (!device->cache_folder) return WEIR_OK;
    if (base_folder_make(folder ? &device->log : NULL, device->cache_folder) == WEIR_OK)
        return WEIR_OK;
    base_free(device->cache_folder);
    device->cache_folder = NULL;
    return folder ? WEIR_IO : WEIR_OK; /* a home that cannot be written is no reason to stop */
}

/* ---- creation
 * ------------------------------------------------------------------------------------- */

static weir_result finish_device(gpu_device *device)
{
    weir_result result;
    VkPhysicalDeviceProperties properties;
    vkGetPhysicalDeviceProperties(device->physical, &properties);
    vkGetPhysicalDeviceMemoryProperties(device->physical, &device->memory);
    device->limits = properties.limits;
    device->storage_range = properties.limits.maxStorageBufferRange;
    device->debug_labels = vkSetDebugUtilsObjectNameEXT != NULL && !device->adopted;
    device->next_ticket = 1;
    WEIR_TRY(load_pipeline_cache(device));
    WEIR_TRY(gpu_slots_create(device));
    WEIR_TRY(gpu_buffer_create(device,
                               &(gpu_buffer_def){.name = "staging",
                                                 .stride = 4,
                                                 .count = GPU_STAGING_BYTES / 4,
                                                 .memory = GPU_MEMORY_HOST},
                               &device->staging));
fail:
    return result;
}

weir_result gpu_device_create(const weir_device_def *def, gpu_device **out)
{
    weir_result result = WEIR_MEMORY;
    gpu_device *device = base_alloc(1, sizeof *device);
    *out = NULL;
    if (!device) return base_fail(&def->log, WEIR_MEMORY, "no memory for a device");
    device->log = def->log;
    WEIR_TRY(gpu_instance_create(&device->log, def->validation, &device->instance, device));
    WEIR_TRY(choose(device, def->device));
    WEIR_TRY(open_cache_folder(device, def->cache_folder));
    find_queue(device);
    WEIR_TRY(open_device(device));
    WEIR_TRY(finish_device(device));
    *out = device;
    return WEIR_OK;
fail:
    gpu_device_destroy(&device);
    return result;
}

static weir_result use_loader(const weir_log *log, PFN_vkGetInstanceProcAddr get_proc,
                              VkInstance instance)
{
    if (get_proc)
        volkInitializeCustom(get_proc);
    else if (volkInitialize() != VK_SUCCESS)
        return base_fail(log, WEIR_UNSUPPORTED, "no Vulkan loader found");
    volkLoadInstanceOnly(instance);
    return WEIR_OK;
}

weir_result gpu_requirements(const weir_log *log, VkInstance instance, VkPhysicalDevice physical,
                             PFN_vkGetInstanceProcAddr get_proc, weir_vulkan_needs *needs)
{
    weir_result result = use_loader(log, get_proc, instance);
    if (result != WEIR_OK) return result;
    weir_device_info info;
    gpu_describe(physical, &info);
    if (info.unusable[0])
        return base_fail(log, WEIR_UNSUPPORTED, "%s cannot be used: %s", info.name, info.unusable);
    fill_needs(physical, needs);
    return WEIR_OK;
}

weir_result gpu_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                             gpu_device **out)
{
    weir_result result = WEIR_MEMORY;
    gpu_device *device = base_alloc(1, sizeof *device);
    *out = NULL;
    if (!device) return base_fail(&def->log, WEIR_MEMORY, "no memory for a device");
    device->log = def->log;
    device->adopted = true;
    device->physical = host->physical;
    device->handle = host->device;
    device->queue = host->queue;
    device->queue_family = host->queue_family;
    device->lock = host->lock;
    device->lock_user = host->lock_user;
    WEIR_TRY(use_loader(&device->log, host->get_proc, host->instance));
    volkLoadDeviceTable(&device->vk, device->handle);
    gpu_describe(device->physical, &device->info);
    find_queue(device);
    WEIR_TRY(finish_device(device));
    *out = device;
    return WEIR_OK;
fail:
    gpu_device_destroy(&device);
    return result;
}

void gpu_device_destroy(gpu_device **pointer)
{
    gpu_device *device = *pointer;
    if (!device) return;
    if (device->handle) {
        gpu_device_wait(device);
        if (device->pipeline_cache && !device->adopted) save_pipeline_cache(device);
        gpu_buffer_destroy(device, &device->staging);
        gpu_sets_forget(device);
        gpu_slots_destroy(device);
        device->vk.vkDestroyPipelineCache(device->handle, device->pipeline_cache, NULL);
        if (!device->adopted) device->vk.vkDestroyDevice(device->handle, NULL);
    }
    gpu_instance_destroy(&device->instance);
    base_free(device->pools);
    base_free(device->sets);
    base_free(device->cache_folder);
    base_free(device);
    *pointer = NULL;
}

/* ---- facts
 * ------------------------------------------------------------------------------------------- */

const weir_device_info *gpu_device_info(const gpu_device *device)
{
    return &device->info;
}
const weir_log *gpu_device_log(const gpu_device *device)
{
    return &device->log;
}
const char *gpu_device_cache_folder(const gpu_device *device)
{
    return device->cache_folder;
}
uint32_t gpu_device_validation_count(const gpu_device *device)
{
    return device->validation_count;
}
uint64_t gpu_device_memory_used(const gpu_device *device)
{
    return device->memory_used;
}
uint64_t gpu_device_storage_range(const gpu_device *device)
{
    return device->storage_range;
}

bool gpu_device_prefers_texels(const gpu_device *device)
{
    return device->info.kind == WEIR_DEVICE_CPU &&
           device->limits.maxTexelBufferElements >= 1u << 27;
}

void gpu_device_limit_storage_range(gpu_device *device, uint64_t bytes)
{
    if (bytes < device->storage_range) device->storage_range = bytes;
}

weir_result gpu_device_wait(gpu_device *device)
{
    weir_result result = WEIR_OK;
    if (device->lost != VK_SUCCESS) return WEIR_DEVICE_LOST;
    for (uint32_t i = 0; i < GPU_SLOTS; i++)
        if (device->slots[i].pending) WEIR_TRY(gpu_ticket_wait(device, device->slots[i].ticket));
fail:
    return result;
}

void gpu_name_object(gpu_device *device, VkObjectType type, uint64_t handle, const char *name)
{
    if (!device->debug_labels) return;
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    vkSetDebugUtilsObjectNameEXT(device->handle, &info);
}
