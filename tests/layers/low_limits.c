/* A Vulkan layer that lowers the limits that the device reports, each by an environment
   variable: LOW_INVOCATIONS and LOW_SHARED per workgroup, LOW_RANGE per binding,
   LOW_TEXELS per texel buffer, LOW_BUFFERS per stage, LOW_ALLOCATION per allocation, LOW_HEAP in
   total; sizes are in bytes. Other programs hold LOW_OTHERS of that heap, as VK_EXT_memory_budget
   reports. Allocations beyond these limits fail, as with a driver. The layer implements the
   functions that Weir calls, those that end in 2, for one thread at a time. */
#include "vulkan_layer.h"

enum { PIECES = 4096 };

static struct {
    VkDeviceMemory memory;
    VkDeviceSize size;
} pieces[PIECES];
static VkDeviceSize taken;

static PFN_vkGetPhysicalDeviceProperties2 next_properties;
static PFN_vkGetPhysicalDeviceMemoryProperties2 next_memory;
static PFN_vkEnumerateDeviceExtensionProperties next_extensions;

static VkResult VKAPI_CALL create_instance(const VkInstanceCreateInfo *info,
                                           const VkAllocationCallbacks *memory, VkInstance *out)
{
    VkResult result = layer_create_instance(info, memory, out);
    if (result != VK_SUCCESS) return result;
    next_properties = BEHIND(vkGetPhysicalDeviceProperties2);
    next_memory = BEHIND(vkGetPhysicalDeviceMemoryProperties2);
    next_extensions = BEHIND(vkEnumerateDeviceExtensionProperties);
    return result;
}

/* Returns the smaller of the device's limit and the variable, or the device's limit without it. */
static uint64_t lowest(const char *variable, uint64_t has)
{
    const char *text = getenv(variable);
    uint64_t most = text ? strtoull(text, NULL, 10) : has;
    return most < has ? most : has;
}

static void lower(uint32_t *limit, const char *variable)
{
    *limit = (uint32_t)lowest(variable, *limit);
}

static void VKAPI_CALL get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    next_properties(physical, out);
    VkPhysicalDeviceLimits *limits = &out->properties.limits;
    lower(&limits->maxComputeWorkGroupInvocations, "LOW_INVOCATIONS");
    lower(&limits->maxComputeSharedMemorySize, "LOW_SHARED");
    lower(&limits->maxStorageBufferRange, "LOW_RANGE");
    lower(&limits->maxTexelBufferElements, "LOW_TEXELS");
    lower(&limits->maxPerStageDescriptorStorageBuffers, "LOW_BUFFERS");
    for (VkBaseOutStructure *s = out->pNext; s; s = s->pNext) {
        VkPhysicalDeviceMaintenance3Properties *maintenance = (void *)s;
        if (s->sType == VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_MAINTENANCE_3_PROPERTIES)
            maintenance->maxMemoryAllocationSize =
                lowest("LOW_ALLOCATION", maintenance->maxMemoryAllocationSize);
    }
}

/* Returns what other programs hold of the heap. */
static uint64_t others(void)
{
    return lowest("LOW_OTHERS", UINT64_MAX) == UINT64_MAX ? 0 : lowest("LOW_OTHERS", UINT64_MAX);
}

static VkResult VKAPI_CALL list_extensions(VkPhysicalDevice physical, const char *layer,
                                           uint32_t *count, VkExtensionProperties *list)
{
    uint32_t room = *count;
    VkResult result = next_extensions(physical, layer, count, list);
    if (layer || !others() || result != VK_SUCCESS) return result;
    if (list && *count == room) return VK_INCOMPLETE;
    if (list)
        list[*count] =
            (VkExtensionProperties){.extensionName = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME};
    ++*count;
    return VK_SUCCESS;
}

static void VKAPI_CALL get_memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *out)
{
    next_memory(physical, out);
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = out->pNext;
    for (uint32_t i = 0; i < out->memoryProperties.memoryHeapCount; i++) {
        VkMemoryHeap *heap = &out->memoryProperties.memoryHeaps[i];
        heap->size = lowest("LOW_HEAP", heap->size);
        if (!budget || !others()) continue; /* Weir queries nothing else */
        budget->heapBudget[i] = heap->size - others();
        budget->heapUsage[i] = taken;
    }
}

static VkResult VKAPI_CALL allocate(VkDevice of, const VkMemoryAllocateInfo *info,
                                    const VkAllocationCallbacks *memory, VkDeviceMemory *out)
{
    VkDeviceSize size = info->allocationSize;
    uint32_t at = 0;
    while (at < PIECES && pieces[at].memory)
        at++;
    if (at == PIECES || size > lowest("LOW_ALLOCATION", UINT64_MAX) ||
        taken + size > lowest("LOW_HEAP", UINT64_MAX) - others())
        return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    VkResult result = NEXT(vkAllocateMemory)(of, info, memory, out);
    if (result != VK_SUCCESS) return result;
    pieces[at].memory = *out;
    pieces[at].size = size;
    taken += size;
    return result;
}

static void VKAPI_CALL give_back(VkDevice of, VkDeviceMemory piece,
                                 const VkAllocationCallbacks *memory)
{
    for (uint32_t i = 0; i < PIECES; i++) {
        if (!piece || pieces[i].memory != piece) continue;
        taken -= pieces[i].size;
        pieces[i].memory = VK_NULL_HANDLE;
    }
    NEXT(vkFreeMemory)(of, piece, memory);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkEnumerateDeviceExtensionProperties", (PFN_vkVoidFunction)list_extensions},
        {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)get_properties},
        {"vkGetPhysicalDeviceMemoryProperties2", (PFN_vkVoidFunction)get_memory},
        {"vkAllocateMemory", (PFN_vkVoidFunction)allocate},
        {"vkFreeMemory", (PFN_vkVoidFunction)give_back},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
