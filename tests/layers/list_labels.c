/* A Vulkan layer for tests that appends the names of debug labels, one a line, to the file
   LABELS. */
#include "vulkan_layer.h"

static void VKAPI_CALL begin_label(VkCommandBuffer commands, const VkDebugUtilsLabelEXT *label)
{
    const char *path = getenv("LABELS");
    FILE *file = path ? fopen(path, "a") : NULL;
    (void)commands;
    if (!file) return;
    fprintf(file, "%s\n", label->pLabelName);
    fclose(file);
}

static void VKAPI_CALL end_label(VkCommandBuffer commands)
{
    (void)commands;
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCmdBeginDebugUtilsLabelEXT", (PFN_vkVoidFunction)begin_label},
        {"vkCmdEndDebugUtilsLabelEXT", (PFN_vkVoidFunction)end_label},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
