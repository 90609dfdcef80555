/* A Vulkan layer for tests: the driver lists machine code, one register and one line of text for
   every pipeline (VK_KHR_pipeline_executable_properties), which CPU drivers lack. */
#include "vulkan_layer.h"

#define EXTENSION VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME
#define CODE "v_add_f32 v0, v0, v0\n"

static PFN_vkEnumerateDeviceExtensionProperties next_extensions;
static PFN_vkGetPhysicalDeviceFeatures2 next_features;

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *memory, VkInstance *out)
{
    VkResult result = layer_create_instance(info, memory, out);
    if (result != VK_SUCCESS) return result;
    next_extensions = BEHIND(vkEnumerateDeviceExtensionProperties);
    next_features = BEHIND(vkGetPhysicalDeviceFeatures2);
    return result;
}

static VkResult VKAPI_CALL list_extensions(VkPhysicalDevice physical, const char *layer,
                                           uint32_t *count, VkExtensionProperties *list)
{
    static const VkExtensionProperties ours = {EXTENSION, 1};
    uint32_t room = *count;
    if (layer) return next_extensions(physical, layer, count, list);
    if (list && room > 0) *count = room - 1;
    VkResult result = next_extensions(physical, NULL, count, list);
    if (list && *count < room) list[*count] = ours;
    ++*count;
    return result;
}

static void VKAPI_CALL get_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
    next_features(physical, features);
    for (VkBaseOutStructure *s = (VkBaseOutStructure *)(void *)features; s; s = s->pNext)
        if (s->sType ==
            VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR)
            ((VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR *)(void *)s)
                ->pipelineExecutableInfo = VK_TRUE;
}

/* Passes neither the extension nor its feature on. */
static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkDevice *out)
{
    const char *kept[32];
    uint32_t count = 0;
    VkDeviceCreateInfo less = *info;
    for (uint32_t i = 0; i < info->enabledExtensionCount && count < LAYER_COUNT(kept); i++)
        if (strcmp(info->ppEnabledExtensionNames[i], EXTENSION) != 0)
            kept[count++] = info->ppEnabledExtensionNames[i];
    less.ppEnabledExtensionNames = kept;
    less.enabledExtensionCount = count;
    for (VkBaseOutStructure *s = (VkBaseOutStructure *)(void *)&less; s; s = s->pNext)
        while (s->pNext &&
               s->pNext->sType ==
                   VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR)
            s->pNext = s->pNext->pNext;
    return layer_create_device(physical, &less, memory, out);
}

static VkResult VKAPI_CALL list_stages(VkDevice of, const VkPipelineInfoKHR *info, uint32_t *count,
                                       VkPipelineExecutablePropertiesKHR *list)
{
    (void)of, (void)info;
    *count = 1;
    if (list) list->subgroupSize = 32;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL list_statistics(VkDevice of, const VkPipelineExecutableInfoKHR *info,
                                           uint32_t *count, VkPipelineExecutableStatisticKHR *list)
{
    (void)of, (void)info;
    *count = 1;
    if (!list) return VK_SUCCESS;
    snprintf(list->name, sizeof list->name, "VGPRs");
    list->format = VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR;
    list->value.u64 = 1;
    return VK_SUCCESS;
}

static VkResult VKAPI_CALL list_code(VkDevice of, const VkPipelineExecutableInfoKHR *info,
                                     uint32_t *count,
                                     VkPipelineExecutableInternalRepresentationKHR *list)
{
    (void)of, (void)info;
    *count = 1;
    if (!list) return VK_SUCCESS;
    snprintf(list->name, sizeof list->name, "assembly");
    list->isText = VK_TRUE;
    if (list->pData && list->dataSize >= sizeof CODE) memcpy(list->pData, CODE, sizeof CODE);
    list->dataSize = sizeof CODE;
    return VK_SUCCESS;
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)list_extensions},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)get_features},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetPipelineExecutablePropertiesKHR", (PFN_vkVoidFunction)list_stages},
        {"vkGetPipelineExecutableStatisticsKHR", (PFN_vkVoidFunction)list_statistics},
        {"vkGetPipelineExecutableInternalRepresentationsKHR", (PFN_vkVoidFunction)list_code},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
