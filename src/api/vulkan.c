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

weir_result weir_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                              weir_device **device)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE_OUT(log, device);
    WEIR_REQUIRE_DEF(log, def, API_DEVICE_COOKIE, "device");
    WEIR_REQUIRE_GIVEN(log, host);
    WEIR_REQUIRE(log, host->instance && host->physical && host->device && host->queue,
                 "`host` must hold an instance, a physical device, a device and a queue");

    *device = base_alloc(1, sizeof **device);
    if (!*device) return base_fail(log, WEIR_MEMORY, "no memory for a device");
    weir_result result = gpu_device_adopt(def, host, &(*device)->gpu);
    if (result != WEIR_OK) weir_device_destroy(device);
    return result;
}
