/* A Vulkan layer that makes a device as limited as MoltenVK's: a portability driver, without
   optional features, timestamps, or blending of 32-bit floats. Features that the portability
   subset or Metal lacks are refused with a message on stderr: events, swizzled views, LOD bias,
   more than 30 buffers per stage, and binding numbers above 30. */
#include <stdio.h>
#include <stdlib.h>

#include "vulkan_layer.h"

#define SUBSET "VK_KHR_portability_subset"
enum { BUFFERS_MAX = 31 };

static VkResult refuse(const char *what)
{
    fprintf(stderr, "like_metal: %s\n", what);
    return VK_ERROR_FEATURE_NOT_PRESENT;
}

/* ---- reported properties ------------------------------------------------------------------------
 */

/* The loader provides the next layer's functions while the instance is created, and later its
   own. */
static PFN_vkGetPhysicalDeviceFeatures2 next_features;
static PFN_vkGetPhysicalDeviceFormatProperties next_format;
static PFN_vkGetPhysicalDeviceQueueFamilyProperties next_families;

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *memory, VkInstance *out)
{
    VkResult result = layer_create_instance(info, memory, out);
    if (result != VK_SUCCESS) return result;
    next_features = BEHIND(vkGetPhysicalDeviceFeatures2);
    next_format = BEHIND(vkGetPhysicalDeviceFormatProperties);
    next_families = BEHIND(vkGetPhysicalDeviceQueueFamilyProperties);
    return result;
}

/* Lists no extension except the subset. */
static VkResult VKAPI_CALL list_extensions(VkPhysicalDevice physical, const char *layer,
                                           uint32_t *count, VkExtensionProperties *list)
{
    static const VkExtensionProperties subset = {SUBSET, 1};
    uint32_t room = *count;
    (void)physical;
    *count = layer || (list && room == 0) ? 0 : 1;
    if (list && *count) *list = subset;
    return list && !layer && room == 0 ? VK_INCOMPLETE : VK_SUCCESS;
}

static void VKAPI_CALL get_features(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
    next_features(physical, features);
    features->features = (VkPhysicalDeviceFeatures){0};
}

static void VKAPI_CALL get_format(VkPhysicalDevice physical, VkFormat format,
                                  VkFormatProperties *properties)
{
    next_format(physical, format, properties);
    if (format == VK_FORMAT_R32_SFLOAT || format == VK_FORMAT_R32G32B32A32_SFLOAT)
        properties->optimalTilingFeatures &=
            ~(VkFormatFeatureFlags)VK_FORMAT_FEATURE_COLOR_ATTACHMENT_BLEND_BIT;
    if (format == VK_FORMAT_D24_UNORM_S8_UINT) *properties = (VkFormatProperties){0};
}

static void VKAPI_CALL get_families(VkPhysicalDevice physical, uint32_t *count,
                                    VkQueueFamilyProperties *families)
{
    next_families(physical, count, families);
    for (uint32_t i = 0; families && i < *count; i++)
        families[i].timestampValidBits = 0;
}

/* ---- refused calls ------------------------------------------------------------------------------
 */

static VkBool32 any_feature(const VkPhysicalDeviceFeatures *features)
{
    static const VkPhysicalDeviceFeatures none;
    return features && memcmp(features, &none, sizeof none) != 0;
}

/* Removes optional features from the chain; the subset must be enabled, and is not passed on. */
static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkDevice *out)
{
    const char *kept[32];
    uint32_t count = 0;
    VkDeviceCreateInfo less = *info;
    for (uint32_t i = 0; i < info->enabledExtensionCount && count < LAYER_COUNT(kept); i++)
        if (strcmp(info->ppEnabledExtensionNames[i], SUBSET) != 0)
            kept[count++] = info->ppEnabledExtensionNames[i];
    if (count == info->enabledExtensionCount) return refuse(SUBSET " is not switched on");
    VkBool32 more = any_feature(info->pEnabledFeatures);
    for (const VkBaseInStructure *s = info->pNext; s; s = s->pNext)
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2)
            more |= any_feature(&((const VkPhysicalDeviceFeatures2 *)(const void *)s)->features);
    if (more) return refuse("an optional feature is switched on");
    less.ppEnabledExtensionNames = kept;
    less.enabledExtensionCount = count;
    return layer_create_device(physical, &less, memory, out);
}

static VkResult VKAPI_CALL create_event(VkDevice of, const VkEventCreateInfo *info,
                                        const VkAllocationCallbacks *memory, VkEvent *out)
{
    (void)of, (void)info, (void)memory, (void)out;
    return refuse("an event");
}

static VkResult VKAPI_CALL create_sampler(VkDevice of, const VkSamplerCreateInfo *info,
                                          const VkAllocationCallbacks *memory, VkSampler *out)
{
    if (info->mipLodBias < 0 || info->mipLodBias > 0) return refuse("a bias of detail");
    return NEXT(vkCreateSampler)(of, info, memory, out);
}

static VkBool32 moves(VkComponentSwizzle swizzle, VkComponentSwizzle own)
{
    return swizzle != VK_COMPONENT_SWIZZLE_IDENTITY && swizzle != own;
}

static VkResult VKAPI_CALL create_view(VkDevice of, const VkImageViewCreateInfo *info,
                                       const VkAllocationCallbacks *memory, VkImageView *out)
{
    const VkComponentMapping *c = &info->components;
    if (moves(c->r, VK_COMPONENT_SWIZZLE_R) || moves(c->g, VK_COMPONENT_SWIZZLE_G) ||
        moves(c->b, VK_COMPONENT_SWIZZLE_B) || moves(c->a, VK_COMPONENT_SWIZZLE_A))
        return refuse("a swizzled view");
    return NEXT(vkCreateImageView)(of, info, memory, out);
}

static VkResult VKAPI_CALL create_layout(VkDevice of, const VkDescriptorSetLayoutCreateInfo *info,
                                         const VkAllocationCallbacks *memory,
                                         VkDescriptorSetLayout *out)
{
    uint32_t buffers = 0;
    for (uint32_t i = 0; i < info->bindingCount; i++) {
        const VkDescriptorSetLayoutBinding *binding = &info->pBindings[i];
        if (binding->descriptorType == VK_DESCRIPTOR_TYPE_STORAGE_BUFFER ||
            binding->descriptorType == VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER)
            buffers += binding->descriptorCount;
        if (binding->binding >= BUFFERS_MAX) return refuse("a binding number past 30");
    }
    if (buffers >= BUFFERS_MAX) return refuse("more than 30 buffers, beside the push constants");
    return NEXT(vkCreateDescriptorSetLayout)(of, info, memory, out);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)list_extensions},
        {"vkGetPhysicalDeviceFeatures2", (PFN_vkVoidFunction)get_features},
        {"vkGetPhysicalDeviceFormatProperties", (PFN_vkVoidFunction)get_format},
        {"vkGetPhysicalDeviceQueueFamilyProperties", (PFN_vkVoidFunction)get_families},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkCreateEvent", (PFN_vkVoidFunction)create_event},
        {"vkCreateSampler", (PFN_vkVoidFunction)create_sampler},
        {"vkCreateImageView", (PFN_vkVoidFunction)create_view},
        {"vkCreateDescriptorSetLayout", (PFN_vkVoidFunction)create_layout},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
