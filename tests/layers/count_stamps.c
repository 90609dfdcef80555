/* A Vulkan layer for tests that counts timestamps, and under which no time passes. It replaces
   each timestamp by a query of the samples drawn by an empty pass, which is always 0. Otherwise
   a table of times that changed would be measured again, pass by pass, and the count would
   depend on the load of the machine. When a device is destroyed, the count is written to the
   file STAMPS. */
#include "vulkan_layer.h"

static uint32_t stamps;

static VkResult VKAPI_CALL create_pool(VkDevice of, const VkQueryPoolCreateInfo *info,
                                       const VkAllocationCallbacks *memory, VkQueryPool *out)
{
    VkQueryPoolCreateInfo asked = *info;
    if (asked.queryType == VK_QUERY_TYPE_TIMESTAMP) asked.queryType = VK_QUERY_TYPE_OCCLUSION;
    return NEXT(vkCreateQueryPool)(of, &asked, memory, out);
}

static void VKAPI_CALL write_timestamp(VkCommandBuffer commands, VkPipelineStageFlags2 stage,
                                       VkQueryPool pool, uint32_t query)
{
    (void)stage;
    stamps++;
    NEXT(vkCmdBeginQuery)(commands, pool, query, 0);
    NEXT(vkCmdEndQuery)(commands, pool, query);
}

static void VKAPI_CALL destroy_device(VkDevice of, const VkAllocationCallbacks *memory)
{
    layer_tell("STAMPS", stamps);
    NEXT(vkDestroyDevice)(of, memory);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCreateQueryPool", (PFN_vkVoidFunction)create_pool},
        {"vkCmdWriteTimestamp2", (PFN_vkVoidFunction)write_timestamp},
        {"vkDestroyDevice", (PFN_vkVoidFunction)destroy_device},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
