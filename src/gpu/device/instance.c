/* The Vulkan loader, the instance, validation messages, and the list of physical devices. */
#include "gpu_internal.h"

#ifndef __clang_analyzer__ /* the analyzer should see Weir's code, not volk's */
#define VOLK_IMPLEMENTATION
#endif
#include <volk.h>

static const char *const validation_layer = "VK_LAYER_KHRONOS_validation";

/* Filters out messages that concern only the layer's own limits on a driver. */
static bool message_is_reported(const char *id)
{
    static const char *const allowed[] = {
        "UNASSIGNED-GPU-Assisted Validation Warning", /* SwiftShader: no shaderInt64 */
        "UNASSIGNED-GPU-Assisted-Validation-Warning",
    };
    for (size_t i = 0; id && i < BASE_COUNT(allowed); i++)
        if (strcmp(id, allowed[i]) == 0) return true;
    return false;
}

static VkBool32 VKAPI_PTR on_message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
                                     VkDebugUtilsMessageTypeFlagsEXT types,
                                     const VkDebugUtilsMessengerCallbackDataEXT *data, void *user)
{
    gpu_device *device = user;
    (void)types;
    bool counted = severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT &&
                   !message_is_reported(data->pMessageIdName);
    if (counted) device->validation_count++;
    weir_log_level level = !counted ? WEIR_LOG_DEBUG
                           : severity >= VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT
                               ? WEIR_LOG_ERROR
                               : WEIR_LOG_WARNING;
    base_log(&device->log, level, "Vulkan validation: %s", data->pMessage);
    return VK_FALSE;
}

/* Loads the loader's functions that need no instance. */
static weir_result load_library(const weir_log *log)
{
    base_mutex_lock(base_mutex_global()); /* volk stores what it finds in globals */
    static bool loaded;
    if (!loaded) loaded = volkInitialize() == VK_SUCCESS;
    bool found = loaded;
    base_mutex_unlock(base_mutex_global());
    if (found) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "no Vulkan loader found: install the graphics driver, or lavapipe "
                     "(Debian: apt-get install libvulkan1 mesa-vulkan-drivers)");
}

weir_result gpu_calls_load(const weir_log *log, PFN_vkGetInstanceProcAddr get_proc,
                           VkInstance instance, gpu_instance_calls *calls)
{
    if (!get_proc) {
        WEIR_RETURN_IF_ERROR(load_library(log));
        get_proc = vkGetInstanceProcAddr;
        WEIR_ASSERT(get_proc);
    }
#define LOAD(member, name) calls->member = (PFN_##name)get_proc(instance, #name);
    GPU_INSTANCE_CALLS(LOAD)
#undef LOAD
    if (calls->get_properties && calls->create_device && calls->get_device_call) return WEIR_OK;
    return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                     "the Vulkan instance lacks functions of Vulkan 1.1: create it with an "
                     "apiVersion of 1.3");
}

static bool has_layer(const char *name)
{
    uint32_t count = 0;
    if (vkEnumerateInstanceLayerProperties(&count, NULL) < 0) return false;
    VkLayerProperties *layers = base_alloc(count, sizeof *layers);
    bool found = false;
    if (layers && vkEnumerateInstanceLayerProperties(&count, layers) >= 0)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(layers[i].layerName, name) == 0;
    base_free(layers);
    return found;
}

static VkResult list_extensions(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                                uint32_t *count, VkExtensionProperties *list)
{
    return calls ? calls->list_extensions(physical, NULL, count, list)
                 : vkEnumerateInstanceExtensionProperties(NULL, count, list);
}

bool gpu_has_extension(const gpu_instance_calls *calls, VkPhysicalDevice physical, const char *name)
{
    uint32_t count = 0;
    if (list_extensions(calls, physical, &count, NULL) < 0) return false;
    VkExtensionProperties *list = base_alloc(count, sizeof *list);
    bool found = false;
    if (list && list_extensions(calls, physical, &count, list) >= 0)
        for (uint32_t i = 0; i < count; i++)
            found |= strcmp(list[i].extensionName, name) == 0;
    base_free(list);
    return found;
}

static bool has_instance_extension(const char *name)
{
    return gpu_has_extension(NULL, VK_NULL_HANDLE, name);
}

/* Enables all surface extensions that exist, because only the window knows which platform's surface
 * it uses. */
static uint32_t add_surface_extensions(const char **extensions)
{
    static const char *const names[] = {
        "VK_KHR_surface",         "VK_KHR_xcb_surface",   "VK_KHR_xlib_surface",
        "VK_KHR_wayland_surface", "VK_KHR_win32_surface", "VK_EXT_metal_surface",
    };
    uint32_t count = 0;
    for (size_t i = 0; i < BASE_COUNT(names); i++)
        if (has_instance_extension(names[i])) extensions[count++] = names[i];
    return count;
}

static VkResult create_vk_instance(gpu_instance_def def, bool debug_utils, void *next,
                                   VkInstance *handle)
{
    VkApplicationInfo application = {
        .sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
        .pApplicationName = "weir",
        .pEngineName = "weir",
        .apiVersion = VK_API_VERSION_1_3,
    };
    const char *extensions[9];
    uint32_t count = def.present ? add_surface_extensions(extensions) : 0;
    bool portability = has_instance_extension(VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME);
    if (portability) extensions[count++] = VK_KHR_PORTABILITY_ENUMERATION_EXTENSION_NAME;
    if (debug_utils) extensions[count++] = VK_EXT_DEBUG_UTILS_EXTENSION_NAME;
    if (def.validation) extensions[count++] = VK_EXT_VALIDATION_FEATURES_EXTENSION_NAME;
    VkInstanceCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
        .pNext = next,
        .flags = portability ? VK_INSTANCE_CREATE_ENUMERATE_PORTABILITY_BIT_KHR : 0u,
        .pApplicationInfo = &application,
        .enabledLayerCount = def.validation ? 1u : 0u,
        .ppEnabledLayerNames = &validation_layer,
        .enabledExtensionCount = count,
        .ppEnabledExtensionNames = extensions,
    };
    return vkCreateInstance(&info, NULL, handle);
}

/* Creates an instance with validation. Synchronization validation finds missing barriers, which
 * core validation misses; GPU-assisted validation finds shader accesses outside a buffer. */
static VkResult create_validated_instance(gpu_instance_def def, gpu_device *messages,
                                          gpu_instance *instance)
{
    /* The first entry does not instrument shaders. */
    static const VkValidationFeatureEnableEXT enables[] = {
        VK_VALIDATION_FEATURE_ENABLE_SYNCHRONIZATION_VALIDATION_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_EXT,
        VK_VALIDATION_FEATURE_ENABLE_GPU_ASSISTED_RESERVE_BINDING_SLOT_EXT,
    };
    VkValidationFeaturesEXT features = {
        .sType = VK_STRUCTURE_TYPE_VALIDATION_FEATURES_EXT,
        .enabledValidationFeatureCount = def.shader_validation ? BASE_COUNT(enables) : 1u,
        .pEnabledValidationFeatures = enables,
    };
    VkDebugUtilsMessengerCreateInfoEXT messenger = {
        .sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
        .pNext = &features,
        .messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_WARNING_BIT_EXT |
                           VK_DEBUG_UTILS_MESSAGE_SEVERITY_ERROR_BIT_EXT,
        .messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_VALIDATION_BIT_EXT |
                       VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
        .pfnUserCallback = on_message,
        .pUserData = messages,
    };
    VkResult code = create_vk_instance(def, true, &messenger, &instance->handle);
    if (code < 0) return code;
    if (gpu_calls_load(&messages->log, vkGetInstanceProcAddr, instance->handle, &instance->calls) !=
        WEIR_OK)
        return VK_ERROR_INITIALIZATION_FAILED;
    messenger.pNext = NULL;
    return instance->calls.create_messenger(instance->handle, &messenger, NULL,
                                            &instance->messenger);
}

static VkResult create_plain_instance(const weir_log *log, gpu_instance_def def,
                                      gpu_instance *instance)
{
    bool labels = has_instance_extension(VK_EXT_DEBUG_UTILS_EXTENSION_NAME);
    VkResult code = create_vk_instance(def, labels, NULL, &instance->handle);
    if (code < 0) return code;
    return gpu_calls_load(log, vkGetInstanceProcAddr, instance->handle, &instance->calls) == WEIR_OK
               ? VK_SUCCESS
               : VK_ERROR_INITIALIZATION_FAILED;
}

weir_result gpu_instance_create(const weir_log *log, gpu_instance_def def, gpu_instance *instance,
                                gpu_device *messages)
{
    WEIR_RETURN_IF_ERROR(load_library(log));
    if (def.validation && !has_layer(validation_layer))
        return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                         "validation was requested, but %s is not installed (Debian: apt-get "
                         "install vulkan-validationlayers)",
                         validation_layer);
    VkResult code = def.validation ? create_validated_instance(def, messages, instance)
                                   : create_plain_instance(log, def, instance);
    if (code >= 0) return WEIR_OK;
    gpu_instance_destroy(instance);
    if (code == VK_ERROR_INCOMPATIBLE_DRIVER)
        return base_fail(log, WEIR_ERROR_UNSUPPORTED, "%s", GPU_NO_DRIVER);
    bool memory = code == VK_ERROR_OUT_OF_HOST_MEMORY || code == VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return base_fail(log, memory ? WEIR_ERROR_MEMORY : WEIR_ERROR_UNSUPPORTED,
                     "vkCreateInstance failed with code %d: is a Vulkan 1.3 driver installed?",
                     (int)code);
}

void gpu_instance_destroy(gpu_instance *instance)
{
    if (!instance->handle) return;
    if (instance->messenger)
        instance->calls.destroy_messenger(instance->handle, instance->messenger, NULL);
    if (instance->calls.destroy_instance) instance->calls.destroy_instance(instance->handle, NULL);
    *instance = (gpu_instance){0};
}

static weir_device_kind device_kind(VkPhysicalDeviceType type)
{
    switch (type) {
    case VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU: return WEIR_DEVICE_DISCRETE;
    case VK_PHYSICAL_DEVICE_TYPE_INTEGRATED_GPU: return WEIR_DEVICE_INTEGRATED;
    case VK_PHYSICAL_DEVICE_TYPE_VIRTUAL_GPU: return WEIR_DEVICE_VIRTUAL;
    case VK_PHYSICAL_DEVICE_TYPE_CPU: return WEIR_DEVICE_CPU;
    default: return WEIR_DEVICE_OTHER;
    }
}

static bool computes(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                     uint32_t *timestamp_bits)
{
    VkQueueFamilyProperties families[32];
    uint32_t count = BASE_COUNT(families);
    calls->get_families(physical, &count, families);
    for (uint32_t i = 0; i < count; i++) {
        if (!(families[i].queueFlags & VK_QUEUE_COMPUTE_BIT)) continue;
        *timestamp_bits = families[i].timestampValidBits;
        return true;
    }
    return false;
}

void gpu_memory_available(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                          uint64_t *bytes, uint64_t *left)
{
    VkPhysicalDeviceMemoryBudgetPropertiesEXT budget = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_BUDGET_PROPERTIES_EXT};
    VkPhysicalDeviceMemoryProperties2 memory = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MEMORY_PROPERTIES_2};
    bool told = gpu_has_extension(calls, physical, VK_EXT_MEMORY_BUDGET_EXTENSION_NAME);
    if (told) memory.pNext = &budget;
    calls->get_memory(physical, &memory);
    *bytes = *left = 0;
    for (uint32_t i = 0; i < memory.memoryProperties.memoryHeapCount; i++) {
        const VkMemoryHeap *heap = &memory.memoryProperties.memoryHeaps[i];
        if (!(heap->flags & VK_MEMORY_HEAP_DEVICE_LOCAL_BIT) || heap->size <= *bytes) continue;
        uint64_t ours = budget.heapBudget[i], used = budget.heapUsage[i];
        *bytes = heap->size;
        *left = !told ? heap->size : used < ours ? ours - used : 0;
        if (*left > heap->size) *left = heap->size;
    }
}

/* A limit of the device, and the value that the shaders need. */
typedef struct required_feature {
    const char *whose, *of;
    uint32_t has, needs;
} required_feature;

static void check_device_limits(weir_device_info *info, const VkPhysicalDeviceLimits *limits)
{
    const uint32_t invocations =
        limits->maxComputeWorkGroupInvocations < limits->maxComputeWorkGroupSize[0]
            ? limits->maxComputeWorkGroupInvocations
            : limits->maxComputeWorkGroupSize[0];
    const required_feature needs[] = {
        {"workgroups have", "invocations", invocations, GPU_MAX_WORKGROUP},
        {"workgroups share", "bytes", limits->maxComputeSharedMemorySize, GPU_MAX_SHARED_BYTES},
        {"shaders bind", "storage buffers", limits->maxPerStageDescriptorStorageBuffers,
         GPU_PASS_BUFFERS},
    };
    for (size_t i = 0; i < BASE_COUNT(needs) && !info->unsupported_reason[0]; i++)
        if (needs[i].has < needs[i].needs)
            snprintf(info->unsupported_reason, sizeof info->unsupported_reason,
                     "its %s %u %s; Weir needs %u", needs[i].whose, needs[i].has, needs[i].of,
                     needs[i].needs);
}

static void check_device_properties(weir_device_info *info, const VkPhysicalDeviceProperties *p,
                                    bool computes)
{
    if (p->apiVersion < VK_API_VERSION_1_3)
        snprintf(info->unsupported_reason, sizeof info->unsupported_reason,
                 "its driver offers Vulkan %s; Weir needs 1.3: update the driver",
                 info->api_version);
    else if (!computes)
        snprintf(info->unsupported_reason, sizeof info->unsupported_reason,
                 "it has no compute queue");
    else
        check_device_limits(info, &p->limits);
}

/* Determines the subgroup sizes that a pipeline can require for any workgroup size; either all
 * sizes of the range or none. */
static void query_subgroups(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                            weir_device_info *info)
{
    VkPhysicalDeviceSubgroupSizeControlProperties sizes = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &sizes};
    calls->get_properties(physical, &properties);
    if (!(sizes.requiredSubgroupSizeStages & VK_SHADER_STAGE_COMPUTE_BIT)) return;
    if ((uint64_t)sizes.minSubgroupSize * sizes.maxComputeWorkgroupSubgroups < GPU_MAX_WORKGROUP)
        return;
    info->subgroup_min = sizes.minSubgroupSize;
    info->subgroup_max = sizes.maxSubgroupSize;
}

void gpu_physical_device_describe(const gpu_instance_calls *calls, VkPhysicalDevice physical,
                                  weir_device_info *info)
{
    VkPhysicalDeviceSubgroupProperties subgroup = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_PROPERTIES};
    VkPhysicalDeviceDriverProperties driver = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DRIVER_PROPERTIES, .pNext = &subgroup};
    VkPhysicalDeviceProperties2 properties = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2, .pNext = &driver};
    calls->get_properties(physical, &properties);
    const VkPhysicalDeviceProperties *p = &properties.properties;
    *info = (weir_device_info){.kind = device_kind(p->deviceType)};
    snprintf(info->name, sizeof info->name, "%s", p->deviceName);
    snprintf(info->driver, sizeof info->driver, "%s %s", driver.driverName, driver.driverInfo);
    snprintf(info->api_version, sizeof info->api_version, "%u.%u.%u",
             VK_API_VERSION_MAJOR(p->apiVersion), VK_API_VERSION_MINOR(p->apiVersion),
             VK_API_VERSION_PATCH(p->apiVersion));
    info->vendor_id = p->vendorID;
    info->device_id = p->deviceID;
    info->driver_id = (uint32_t)driver.driverID;
    info->driver_version = p->driverVersion;
    gpu_memory_available(calls, physical, &info->memory_bytes, &info->memory_available_bytes);
    info->max_storage_buffer_bytes = p->limits.maxStorageBufferRange;
    info->subgroup_size = subgroup.subgroupSize;
    if (p->apiVersion >= VK_API_VERSION_1_3) query_subgroups(calls, physical, info);
    info->max_workgroup_invocations = p->limits.maxComputeWorkGroupInvocations;
    uint32_t bits = 0;
    bool usable = computes(calls, physical, &bits);
    info->timestamps = bits > 0 && p->limits.timestampPeriod > 0.0f;
    info->can_reload_shaders = gpu_shaders_can_reload();
    check_device_properties(info, p, usable);
}

static int device_rank(const weir_device_info *info)
{
    static const int order[] = {[WEIR_DEVICE_DISCRETE] = 0,
                                [WEIR_DEVICE_INTEGRATED] = 1,
                                [WEIR_DEVICE_VIRTUAL] = 2,
                                [WEIR_DEVICE_OTHER] = 3,
                                [WEIR_DEVICE_CPU] = 4};
    return order[info->kind] + (info->unsupported_reason[0] ? 8 : 0);
}

weir_result gpu_physical_devices_list(const weir_log *log, const gpu_instance *instance,
                                      VkPhysicalDevice *physical, uint32_t *count)
{
    const gpu_instance_calls *calls = &instance->calls;
    VkResult code = calls->list_devices(instance->handle, count, physical);
    if (code < 0)
        return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                         "vkEnumeratePhysicalDevices failed with code %d", (int)code);
    for (uint32_t i = 1; i < *count; i++) { /* insertion sort: stable, best first */
        weir_device_info a, b;
        for (uint32_t k = i; k > 0; k--) {
            gpu_physical_device_describe(calls, physical[k - 1], &a);
            gpu_physical_device_describe(calls, physical[k], &b);
            if (device_rank(&a) <= device_rank(&b)) break;
            VkPhysicalDevice swap = physical[k];
            physical[k] = physical[k - 1];
            physical[k - 1] = swap;
        }
    }
    return WEIR_OK;
}

weir_result gpu_device_list(const weir_log *log, weir_device_info *infos, uint32_t *count)
{
    gpu_instance instance = {0};
    WEIR_RETURN_IF_ERROR(gpu_instance_create(log, (gpu_instance_def){0}, &instance, NULL));
    VkPhysicalDevice physical[GPU_MAX_DEVICES];
    uint32_t found = GPU_MAX_DEVICES;
    weir_result result = gpu_physical_devices_list(log, &instance, physical, &found);
    if (result == WEIR_OK) {
        for (uint32_t i = 0; infos && i < found && i < *count; i++)
            gpu_physical_device_describe(&instance.calls, physical[i], &infos[i]);
        *count = found;
    }
    gpu_instance_destroy(&instance);
    return result;
}
