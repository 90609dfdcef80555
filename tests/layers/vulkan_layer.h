/* Common code of the Vulkan layers for tests: it stores the next functions in the chain and answers
 * the loader. A layer is one file that includes this one and defines layer_call_of. It supports one
 * instance and one device at a time, which is enough for tests. */
#ifndef WEIR_TESTS_VULKAN_LAYER_H
#define WEIR_TESTS_VULKAN_LAYER_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>
#include <vulkan/vulkan.h>

static PFN_vkGetInstanceProcAddr next_instance_call;
static PFN_vkGetDeviceProcAddr next_device_call;
static VkInstance instance;
static VkDevice device;

/* The device function next in the chain. */
#define NEXT(name) ((PFN_##name)next_device_call(device, #name))
/* The instance function next in the chain, to be used while the instance is created: afterwards the
 * loader does not return a layer's own functions. */
#define BEHIND(name) ((PFN_##name)next_instance_call(instance, #name))

/* A function that replaces one of Vulkan's. */
typedef struct layer_call {
    const char *name;
    PFN_vkVoidFunction call;
} layer_call;

#define LAYER_COUNT(array) ((uint32_t)(sizeof(array) / sizeof *(array)))

static inline PFN_vkVoidFunction layer_find(const layer_call *calls, uint32_t count,
                                            const char *name)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(calls[i].name, name) == 0) return calls[i].call;
    return NULL;
}

/* Writes a count to the file that the environment variable `variable` names, if it is set. */
static inline void layer_tell(const char *variable, uint32_t count)
{
    const char *path = getenv(variable);
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) return;
    fprintf(file, "%u\n", count);
    fclose(file);
}

/* Returns the layer's own function with this name; NULL if it has none. */
static PFN_vkVoidFunction layer_call_of(const char *name);

static VkResult VKAPI_CALL layer_create_instance(const VkInstanceCreateInfo *info,
                                                 const VkAllocationCallbacks *memory,
                                                 VkInstance *out)
{
    VkLayerInstanceCreateInfo *link = (VkLayerInstanceCreateInfo *)(uintptr_t)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerInstanceCreateInfo *)(uintptr_t)link->pNext;
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    next_instance_call = link->u.pLayerInfo->pfnNextGetInstanceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result =
        ((PFN_vkCreateInstance)next_instance_call(NULL, "vkCreateInstance"))(info, memory, out);
    instance = *out;
    return result;
}

static VkResult VKAPI_CALL layer_create_device(VkPhysicalDevice physical,
                                               const VkDeviceCreateInfo *info,
                                               const VkAllocationCallbacks *memory, VkDevice *out)
{
    VkLayerDeviceCreateInfo *link = (VkLayerDeviceCreateInfo *)(uintptr_t)info->pNext;
    while (link && (link->sType != VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO ||
                    link->function != VK_LAYER_LINK_INFO))
        link = (VkLayerDeviceCreateInfo *)(uintptr_t)link->pNext;
    if (!link) return VK_ERROR_INITIALIZATION_FAILED;
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)link->u.pLayerInfo->pfnNextGetInstanceProcAddr(
        instance, "vkCreateDevice");
    next_device_call = link->u.pLayerInfo->pfnNextGetDeviceProcAddr;
    link->u.pLayerInfo = link->u.pLayerInfo->pNext;
    VkResult result = create(physical, info, memory, out);
    device = *out;
    return result;
}

static PFN_vkVoidFunction VKAPI_CALL layer_device_call(VkDevice of, const char *name);
static PFN_vkVoidFunction VKAPI_CALL layer_instance_call(VkInstance of, const char *name);

/* Returns the layer's own function, or the one that every layer has. */
static PFN_vkVoidFunction layer_answer(const char *name)
{
    static const layer_call every[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)layer_create_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)layer_create_device},
        {"vkGetInstanceProcAddr", (PFN_vkVoidFunction)layer_instance_call},
        {"vkGetDeviceProcAddr", (PFN_vkVoidFunction)layer_device_call},
    };
    PFN_vkVoidFunction own = layer_call_of(name);
    return own ? own : layer_find(every, LAYER_COUNT(every), name);
}

static PFN_vkVoidFunction VKAPI_CALL layer_device_call(VkDevice of, const char *name)
{
    PFN_vkVoidFunction call = layer_answer(name);
    return call ? call : next_device_call(of, name);
}

static PFN_vkVoidFunction VKAPI_CALL layer_instance_call(VkInstance of, const char *name)
{
    PFN_vkVoidFunction call = layer_answer(name);
    return call ? call : next_instance_call(of, name);
}

__attribute__((visibility("default"))) VkResult
vkNegotiateLoaderLayerInterfaceVersion(VkNegotiateLayerInterface *with)
{
    with->loaderLayerInterfaceVersion = 2;
    with->pfnGetInstanceProcAddr = layer_instance_call;
    with->pfnGetDeviceProcAddr = layer_device_call;
    with->pfnGetPhysicalDeviceProcAddr = NULL;
    return VK_SUCCESS;
}

#endif
