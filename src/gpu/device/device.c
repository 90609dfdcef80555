/* Creates and destroys devices: chooses a physical device, creates or adopts the logical one, and
 * owns its queue, caches and memory accounting. */
#include "gpu_adopt.h"
#include "gpu_internal.h"
#include "gpu_trace.h"
#include "surface.h"

#include <stdlib.h>

weir_result gpu_vk_result(gpu_device *device, VkResult code, const char *name)
{
    if (code >= 0) return WEIR_OK;
    if (code == VK_ERROR_DEVICE_LOST) {
        if (device->lost == VK_SUCCESS) {
            base_log(&device->log, WEIR_LOG_ERROR,
                     "the device %s was lost in %s: the driver was reset, or a submission took too "
                     "long. Start again; --resume continues a run from its newest checkpoint",
                     device->info.name, name);
            gpu_device_fault_log(device);
        }
        device->lost = code;
        return WEIR_ERROR_DEVICE_LOST;
    }
    bool memory = code == VK_ERROR_OUT_OF_DEVICE_MEMORY || code == VK_ERROR_OUT_OF_HOST_MEMORY ||
                  code == VK_ERROR_MEMORY_MAP_FAILED;
    if (memory)
        return base_fail(&device->log, WEIR_ERROR_MEMORY,
                         "the device %s is out of memory: %s failed with code %d. Close other "
                         "programs, or use a larger particle spacing",
                         device->info.name, name, (int)code);
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED, "%s failed with code %d", name,
                     (int)code);
}

/* ---- choice --------------------------------------------------------------------------------- */

static bool matches_device_name(const char *wanted, uint32_t index, const char *name)
{
    char *end = NULL;
    unsigned long number = strtoul(wanted, &end, 10);
    if (end != wanted && *end == '\0') return number == index;
    size_t length = strlen(wanted);
    if (length == 0) return false;
    for (const char *at = name; *at; at++) {
        size_t i = 0;
        while (i < length && at[i] && (at[i] | 32) == (wanted[i] | 32))
            i++;
        if (i == length) return true;
    }
    return false;
}

static weir_result fail_unknown_device(const gpu_device *device, const char *wanted, uint32_t count)
{
    char numbers[48] = "0, the only one,";
    if (count > 1) snprintf(numbers, sizeof numbers, "a number from 0 to %u", count - 1);
    return base_fail(
        &device->log, WEIR_ERROR_ARGUMENT,
        "unknown device \"%s\": give %s or part of a name; weir info lists the devices", wanted,
        numbers);
}

weir_result gpu_device_check_usable(const weir_log *log, const weir_device_info *info)
{
    if (!info->unsupported_reason[0]) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED, "%s cannot be used: %s", info->name,
                     info->unsupported_reason);
}

/* Uses the physical device if it meets the requirements; `surface` may be NULL. */
static bool try_physical_device(gpu_device *device, VkPhysicalDevice physical, VkSurfaceKHR surface)
{
    device->physical = physical;
    gpu_physical_device_describe(&device->instance.calls, physical, &device->info);
    if (surface && !gpu_has_extension(&device->instance.calls, physical, "VK_KHR_swapchain"))
        return false;
    return gpu_queue_find(device, surface) || !surface;
}

static weir_result choose_named_physical(gpu_device *device, const char *wanted,
                                         VkSurfaceKHR surface)
{
    VkPhysicalDevice list[GPU_MAX_DEVICES];
    uint32_t count = GPU_MAX_DEVICES;
    WEIR_RETURN_IF_ERROR(gpu_physical_devices_list(&device->log, &device->instance, list, &count));
    for (uint32_t i = 0; i < count; i++) {
        weir_device_info info;
        gpu_physical_device_describe(&device->instance.calls, list[i], &info);
        if (!matches_device_name(wanted, i, info.name)) continue;
        WEIR_RETURN_IF_ERROR(gpu_device_check_usable(&device->log, &info));
        if (try_physical_device(device, list[i], surface)) return WEIR_OK;
        return base_fail(
            &device->log, WEIR_ERROR_UNSUPPORTED,
            "%s cannot present to this window: omit the device, to use the best one that can",
            info.name);
    }
    if (count == 0) return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED, "%s", GPU_NO_DRIVER);
    return fail_unknown_device(device, wanted, count);
}

static weir_result choose_best_physical(gpu_device *device, VkSurfaceKHR surface)
{
    VkPhysicalDevice list[GPU_MAX_DEVICES];
    uint32_t count = GPU_MAX_DEVICES;
    WEIR_RETURN_IF_ERROR(gpu_physical_devices_list(&device->log, &device->instance, list, &count));
    for (uint32_t i = 0; i < count; i++) {
        if (try_physical_device(device, list[i], surface))
            return gpu_device_check_usable(&device->log, &device->info);
        base_log(&device->log, WEIR_LOG_INFO, "%s is not used: it cannot present to the window",
                 device->info.name);
    }
    if (count == 0) return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED, "%s", GPU_NO_DRIVER);
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "no device can present to this window: each driver lacks VK_KHR_swapchain, or "
                     "has no access to the display. Without a window, weir run --images draws the "
                     "same pictures to files");
}

static weir_result choose_physical_device(gpu_device *device, const weir_device_def *def)
{
    VkSurfaceKHR surface = VK_NULL_HANDLE;
    if (def->window) WEIR_RETURN_IF_ERROR(gpu_surface_create(device, def->window, &surface));
    weir_result result = def->device ? choose_named_physical(device, def->device, surface)
                                     : choose_best_physical(device, surface);
    gpu_surface_destroy(device, &surface);
    device->presents = def->window != NULL;
    return result;
}

/* ---- opening -------------------------------------------------------------------------------- */

bool gpu_queue_find(gpu_device *device, VkSurfaceKHR surface)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = BASE_COUNT(families);
    bool found = device->draws = false;
    device->instance.calls.get_families(device->physical, &count, families);
    for (uint32_t i = 0; i < count && !device->draws; i++) {
        bool wanted = !device->adopted || i == device->queue_family;
        bool draws = families[i].queueFlags & VK_QUEUE_GRAPHICS_BIT;
        wanted &= !surface || (draws && gpu_surface_can_present(device, surface, i));
        if (!wanted || !(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT) || (found && !draws))
            continue;
        device->queue_family = i;
        device->timestamp_bits = families[i].timestampValidBits;
        device->draws = draws;
        found = true;
    }
    return found;
}

/* volk fills a table through its global loader function, which another loader may have set, so it
 * is set again here. */
void gpu_device_load_functions(gpu_device *device, VkDevice handle)
{
    base_mutex_lock(base_mutex_global());
    vkGetDeviceProcAddr = device->instance.calls.get_device_call;
    volkLoadDeviceTable(&device->vk, handle);
    base_mutex_unlock(base_mutex_global());
    device->handle = handle;
}

static weir_result create_logical_device(gpu_device *device, gpu_optional_features *extras)
{
    weir_vulkan_device_requirements needs;
    VkDevice handle = VK_NULL_HANDLE;
    gpu_requirements_fill(&device->instance.calls, device->physical, &needs);
    if (device->presents) needs.extensions[needs.extension_count++] = "VK_KHR_swapchain";
    float priority = 1.0f;
    VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
        .queueFamilyIndex = device->queue_family,
        .queueCount = 1,
        .pQueuePriorities = &priority,
    };
    const char *extensions[BASE_COUNT(needs.extensions) + BASE_COUNT(extras->extensions)];
    uint32_t count = 0;
    for (uint32_t i = 0; i < needs.extension_count; i++)
        extensions[count++] = needs.extensions[i];
    for (uint32_t i = 0; i < extras->extension_count; i++)
        extensions[count++] = extras->extensions[i];
    needs.features13.pNext = &extras->features;
    needs.features13.subgroupSizeControl = device->subgroup > 0;
    VkDeviceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
        .pNext = &needs.features13,
        .queueCreateInfoCount = 1,
        .pQueueCreateInfos = &queue,
        .enabledExtensionCount = count,
        .ppEnabledExtensionNames = extensions,
    };
    WEIR_RETURN_IF_ERROR(gpu_vk_result(
        device, device->instance.calls.create_device(device->physical, &info, NULL, &handle),
        "vkCreateDevice"));
    gpu_device_load_functions(device, handle);
    device->vk.vkGetDeviceQueue(device->handle, device->queue_family, 0, &device->queue);
    return WEIR_OK;
}

/* ---- creation ------------------------------------------------------------------------------- */

static weir_result open_cache_folder(gpu_device *device, const char *folder)
{
    if (folder && folder[0] == '\0') return WEIR_OK;
    device->cache_folder = folder ? base_strdup(folder) : base_cache_folder();
    if (!device->cache_folder) return WEIR_OK;
    if (base_folder_make(folder ? &device->log : NULL, device->cache_folder) == WEIR_OK)
        return WEIR_OK;
    base_free(device->cache_folder);
    device->cache_folder = NULL;
    return folder ? WEIR_ERROR_IO
                  : WEIR_OK; /* a cache folder that cannot be written is no reason to fail */
}

weir_result gpu_device_init(gpu_device *device, const base_blob *cache)
{
    VkPhysicalDeviceSubgroupProperties subgroups = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceMaintenance4Properties buffers = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_4_PROPERTIES, .pNext = &subgroups};
    VkPhysicalDeviceMaintenance3Properties allocations = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES, .pNext = &buffers};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &allocations};
    device->instance.calls.get_properties(device->physical, &properties);
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    device->instance.calls.get_memory(device->physical, &memory);
    device->memory = memory.memoryProperties;
    device->limits = properties.properties.limits;
    device->subgroup_operations = subgroups.supportedOperations;
    device->storage_range = device->limits.maxStorageBufferRange;
    device->largest_buffer = buffers.maxBufferSize < allocations.maxMemoryAllocationSize
                                 ? buffers.maxBufferSize
                                 : allocations.maxMemoryAllocationSize;
    device->submit_budget_ms = GPU_SUBMISSION_MS;
    device->next_ticket = 1;
    WEIR_RETURN_IF_ERROR(gpu_pipeline_cache_load(device, cache));
    WEIR_RETURN_IF_ERROR(gpu_command_slots_create(device));
    WEIR_RETURN_IF_ERROR(gpu_buffer_create(device,
                                           &(gpu_buffer_def){.name = "staging",
                                                             .stride = 4,
                                                             .count = GPU_STAGING_BYTES / 4,
                                                             .memory = GPU_MEMORY_HOST},
                                           &device->staging));
    WEIR_RETURN_IF_ERROR(gpu_split_dispatch_create(device));
    WEIR_RETURN_IF_ERROR(gpu_trace_init(device));
    return gpu_self_test(device);
}

weir_result gpu_device_create(const weir_device_def *def, gpu_device **out)
{
    weir_result result = WEIR_ERROR_MEMORY;
    gpu_device *device = base_alloc(1, sizeof *device);
    *out = NULL;
    if (!device) return base_fail(&def->log, WEIR_ERROR_MEMORY, "not enough memory for a device");
    device->log = def->log;
    const gpu_instance_def instance = {
        .validation = def->validation || def->shader_validation,
        .shader_validation = def->shader_validation,
        .present = def->window,
    };
    WEIR_GOTO_IF_ERROR(gpu_instance_create(&device->log, instance, &device->instance, device));
    WEIR_GOTO_IF_ERROR(choose_physical_device(device, def));
    WEIR_GOTO_IF_ERROR(open_cache_folder(device, def->cache_folder));
    gpu_optional_features extras;
    WEIR_GOTO_IF_ERROR(gpu_optional_features_choose(device, def, &extras));
    WEIR_GOTO_IF_ERROR(create_logical_device(device, &extras));
    WEIR_GOTO_IF_ERROR(gpu_device_init(device, &(base_blob){0}));
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
        gpu_pipelines_stop_ahead(device);
        gpu_device_wait(device);
        gpu_device_set_trace(device, NULL);
        gpu_pipeline_cache_save(device);
        gpu_buffer_destroy(device, &device->staging);
        gpu_split_dispatch_destroy(device);
        gpu_buffer_destroy(device, &device->quad_indices);
        gpu_pipelines_trim(device);
        gpu_command_slots_destroy(device);
        device->vk.vkDestroyPipelineCache(device->handle, device->pipeline_cache,
                                          device->allocator);
        if (!device->adopted) device->vk.vkDestroyDevice(device->handle, NULL);
    }
    gpu_instance_destroy(&device->instance);
    BASE_ARRAY_FREE(&device->pools);
    base_free(device->sets);
    base_free(device->cache_folder);
    base_free(device->isa_folder);
    base_free(device->shader_folder);
    gpu_shaders_free(device);
    BASE_ARRAY_FREE(&device->spans);
    BASE_ARRAY_FREE(&device->tuning_values);
    base_free(device);
    *pointer = NULL;
}

/* ---- pipeline statistics -------------------------------------------------------------------- */

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
double gpu_device_waited_cpu(const gpu_device *device)
{
    return device->waited_cpu_s;
}
uint32_t gpu_device_workgroup(const gpu_device *device)
{
    return device->workgroup ? device->workgroup : 64;
}
uint64_t gpu_device_storage_range(const gpu_device *device)
{
    return device->storage_range;
}

bool gpu_device_prefers_texels(const gpu_device *device)
{
    return device->info.kind == WEIR_DEVICE_CPU &&
           device->limits.maxTexelBufferElements >= 1u << 27 &&
           device->subgroup_operations & VK_SUBGROUP_FEATURE_SHUFFLE_BIT;
}

void gpu_device_limit_storage_range(gpu_device *device, uint64_t bytes)
{
    if (bytes < device->storage_range) device->storage_range = bytes;
}

void gpu_device_limit_submission(gpu_device *device, double ms)
{
    device->submit_budget_ms = ms;
}

weir_result gpu_device_wait(gpu_device *device)
{
    if (device->lost != VK_SUCCESS) return WEIR_ERROR_DEVICE_LOST;
    for (uint32_t i = 0; i < GPU_COMMAND_SLOTS; i++)
        if (device->slots[i].pending)
            WEIR_RETURN_IF_ERROR(gpu_ticket_wait(device, device->slots[i].ticket));
    return WEIR_OK;
}

void gpu_name_object(gpu_device *device, VkObjectType type, uint64_t handle, const char *name)
{
    if (device->adopted || !device->instance.calls.name_object) return;
    VkDebugUtilsObjectNameInfoEXT info = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
        .objectType = type,
        .objectHandle = handle,
        .pObjectName = name,
    };
    device->instance.calls.name_object(device->handle, &info);
}
