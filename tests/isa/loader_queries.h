/* Queries of physical devices that the layers of tests/isa answer. Include it after vulkan_layer.h.
 */
#ifndef WEIR_TESTS_LOADER_QUERIES_H
#define WEIR_TESTS_LOADER_QUERIES_H

static PFN_vkGetPhysicalDeviceQueueFamilyProperties next_families;
static PFN_vkGetPhysicalDeviceProperties2 next_properties;

/* Without timestamps Weir benchmarks nothing on the device. */
static void VKAPI_CALL get_families(VkPhysicalDevice of, uint32_t *count,
                                    VkQueueFamilyProperties *families)
{
    next_families(of, count, families);
    for (uint32_t i = 0; families && i < *count; i++)
        families[i].timestampValidBits = 0;
}

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *memory, VkInstance *out)
{
    VkResult code = layer_create_instance(info, memory, out);
    if (code != VK_SUCCESS) return code;
    /* After instance creation the loader would return the layer's own function. */
    next_families = BEHIND(vkGetPhysicalDeviceQueueFamilyProperties);
    next_properties = BEHIND(vkGetPhysicalDeviceProperties2);
    return code;
}

#endif
