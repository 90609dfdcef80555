/* The side door: devices over a host's own Vulkan. */
#include "api_internal.h"
#include "gpu_adopt.h"

weir_result weir_vulkan_requirements(const weir_log *log, VkInstance instance,
                                     VkPhysicalDevice physical, PFN_vkGetInstanceProcAddr get_proc,
                                     weir_vulkan_needs *needs)
{
    WEIR_REQUIRE(log, instance, "`instance` must not be NULL");
    WEIR_REQUIRE(log, physical, "`physical` must not be NULL");
    WEIR_REQUIRE(log, needs, "`needs` must not be NULL");
    return gpu_requirements(log, instance, physical, get_proc, needs);
}

weir_result weir_device_adopt(const weir_device_def *def, const weir_vulkan_host *host,
                              weir_device **device)
{
    const weir_log *log = def ? &def->log : NULL;
    WEIR_REQUIRE(log, device, "`device` must not be NULL");
    *device = NULL;
    WEIR_REQUIRE(log, def, "`def` must not be NULL");
    WEIR_REQUIRE(log, def->cookie == API_DEVICE_COOKIE, API_COOKIE_RULE("device"));
    WEIR_REQUIRE(log, host, "`host` must not be NULL");
    WEIR_REQUIRE(log, host->instance && host->physical && host->device && host->queue,
                 "`host` must hold an instance, a physical device, a device and a queue");

    weir_device *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_MEMORY, "no memory for a device");
    weir_result result = gpu_device_adopt(def, host, &made->gpu);
    if (result != WEIR_OK) {
        base_free(made);
        return result;
    }
    *device = made;
    return WEIR_OK;
}
