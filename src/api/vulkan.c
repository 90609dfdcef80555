/* The side door: devices over a host's own Vulkan. */
#include "api_internal.h"
#include "gpu_adopt.h"

weir_result weir_vulkan_requirements(const weir_log *log, VkInstance instance,
                                     VkPhysicalDevice physical, PFN_vkGetInstanceProcAddr get_proc,
                                     weir_vulkan_needs *needs)
{
    WEIR_REQUIRE_GIVEN(log, instance);
    WEIR_REQUIRE_GIVEN(log, physical);
    WEIR_REQUIRE_GIVEN(log, needs);
    return gpu_requirements(log, instance, physical, get_proc, needs);
}

weir_result weir_vulkan_merge(const weir_log *log, weir_vulkan_needs *needs,
                              VkPhysicalDeviceFeatures2 *features)
{
    WEIR_REQUIRE_GIVEN(log, needs);
    WEIR_REQUIRE_GIVEN(log, features);
    return gpu_merge(log, needs, features);
}

weir_vulkan_host weir_vulkan_host_default(void)
{
    return (weir_vulkan_host){.cookie = API_HOST_COOKIE};
}

static weir_result check_host(const weir_log *log, const weir_vulkan_host *host)
{
    WEIR_REQUIRE_GIVEN(log, host);
    WEIR_REQUIRE(log, host->cookie == API_HOST_COOKIE,
                 "`host` must come from weir_vulkan_host_default()");
    WEIR_REQUIRE(log, host->instance && host->physical && host->device && host->queue,
                 "`host` must hold an instance, a physical device, a device and a queue");
    WEIR_REQUIRE(log, host->features,
                 "`features` must be those with which the device was made: Vulkan cannot be asked");
    WEIR_REQUIRE(log, host->extensions || host->extension_count == 0,
                 "`extensions` must not be NULL where `extension_count` is above 0");
    WEIR_REQUIRE(log, host->readers || host->reader_count == 0,
                 "`readers` must not be NULL where `reader_count` is above 0");
    WEIR_REQUIRE(log, host->reader_count <= 8, "`reader_count` must be at most 8");
    return WEIR_OK;
}

weir_result weir_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                              weir_device **device)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE_OUT(log, device);
    WEIR_REQUIRE_DEF(log, def, API_DEVICE_COOKIE, "device");
    WEIR_NEED(check_host(log, host));

    *device = base_alloc(1, sizeof **device);
    if (!*device) return base_fail(log, WEIR_MEMORY, "no memory for a device");
    weir_result result = gpu_device_adopt(def, host, &(*device)->gpu);
    if (result != WEIR_OK) weir_device_destroy(device);
    return result;
}

weir_result weir_vulkan_cache(weir_device *device, void *bytes, size_t *size)
{
    const weir_log *log = api_log(device);
    WEIR_REQUIRE_GIVEN(log, device);
    WEIR_REQUIRE_GIVEN(log, size);
    return gpu_pipelines_get(device->gpu, bytes, size);
}
