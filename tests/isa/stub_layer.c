/* A Vulkan layer for drivers of GPUs that are not present, whose kernel drivers tools/run-with
 * replaces by stubs: their compilers work, and nothing that is submitted runs. The layer writes
 * what the compiler reports of each pipeline (pipeline_report.h) into the folder WEIR_ISA when the
 * pipeline gets its name, with WEIR_ISA_TARGETS as the target. With WEIR_ISA_FIRST_VARIANT the
 * first variant of a shader stands for all, which takes half the time; with WEIR_ISA_LISTINGS files
 * contain the disassembly.
 *
 * Weir's self-test refuses a device that computes nothing, so the layer provides the results that
 * the test expects (src/gpu/device/self_test.c). */
#include <math.h>

#include "pipeline_report.h"
#include "vulkan_layer.h"

#include "loader_queries.h"

/* A module, by its name, or a pipeline. */
typedef struct fact {
    uint64_t handle;
    stage_facts stages[2]; /* stages of a pipeline; for a module, the first holds its name */
    bool is_pipeline;
    char written[64]; /* the kernel for which its files were written last */
} fact;

static fact *facts;
static size_t fact_count;

static fact *new_fact(uint64_t handle)
{
    facts = realloc(facts, (fact_count + 1) * sizeof *facts);
    if (!facts) give_up("realloc", 0);
    facts[fact_count] = (fact){.handle = handle};
    return &facts[fact_count++];
}

/* Returns the newest entry with this handle, because drivers reuse handles; NULL if there is none.
 */
static fact *find_fact(uint64_t handle)
{
    for (size_t i = fact_count; i > 0; i--)
        if (facts[i - 1].handle == handle) return &facts[i - 1];
    return NULL;
}

/* ---- pipelines ------------------------------------------------------------------------------ */

static VkResult VKAPI_CALL create_module(VkDevice of, const VkShaderModuleCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkShaderModule *out)
{
    VkResult code = NEXT(vkCreateShaderModule)(of, info, memory, out);
    if (code >= 0) new_fact((uint64_t)*out);
    return code;
}

static stage_facts facts_of(VkShaderModule module, const VkSpecializationInfo *special)
{
    const fact *of = find_fact((uint64_t)module);
    stage_facts made = of ? of->stages[0] : (stage_facts){"", ""};
    report_constants(&made, special);
    return made;
}

/* Returns a pipeline that was compiled for the same stage; VK_NULL_HANDLE if there is none. */
static VkPipeline find_compiled(const stage_facts *stage)
{
    for (size_t i = 0; i < fact_count; i++)
        if (facts[i].is_pipeline && report_same_stage(facts[i].stages, stage))
            return (VkPipeline)facts[i].handle;
    return VK_NULL_HANDLE;
}

static VkResult VKAPI_CALL create_compute(VkDevice of, VkPipelineCache cache, uint32_t count,
                                          const VkComputePipelineCreateInfo *info,
                                          const VkAllocationCallbacks *memory, VkPipeline *out)
{
    VkComputePipelineCreateInfo asked = *info;
    VkSpecializationMapEntry entries[CONSTANTS_MAX];
    VkSpecializationInfo special;
    (void)cache; /* each compilation is a real one */
    if (info->stage.pSpecializationInfo) {
        special = report_all_shapes(info->stage.pSpecializationInfo, entries);
        asked.stage.pSpecializationInfo = &special;
    }
    const stage_facts stage = facts_of(info->stage.module, asked.stage.pSpecializationInfo);
    if ((*out = find_compiled(&stage))) return VK_SUCCESS;
    asked.flags |= REPORT_FLAGS;
    VkResult code = NEXT(vkCreateComputePipelines)(of, VK_NULL_HANDLE, count, &asked, memory, out);
    if (code < 0) return code;
    fact *made = new_fact((uint64_t)*out);
    made->stages[0] = stage;
    made->is_pipeline = true;
    return code;
}

/* Creates a pipeline with a vertex and a fragment stage. */
static VkResult VKAPI_CALL create_graphics(VkDevice of, VkPipelineCache cache, uint32_t count,
                                           const VkGraphicsPipelineCreateInfo *info,
                                           const VkAllocationCallbacks *memory, VkPipeline *out)
{
    VkGraphicsPipelineCreateInfo asked = *info;
    (void)cache;
    asked.flags |= REPORT_FLAGS;
    VkResult code = NEXT(vkCreateGraphicsPipelines)(of, VK_NULL_HANDLE, count, &asked, memory, out);
    if (code < 0) return code;
    fact made = {.handle = (uint64_t)*out, .is_pipeline = true};
    for (uint32_t s = 0; s < 2 && s < info->stageCount; s++)
        made.stages[s] = facts_of(info->pStages[s].module, info->pStages[s].pSpecializationInfo);
    *new_fact(made.handle) = made;
    return code;
}

/* A pipeline may stand for several of the program's, so all live until the process ends. */
static void VKAPI_CALL destroy_pipeline(VkDevice of, VkPipeline pipeline,
                                        const VkAllocationCallbacks *memory)
{
    (void)of, (void)pipeline, (void)memory;
}

static void write_pipeline(const char *kernel, VkPipeline pipeline)
{
    fact *made = find_fact((uint64_t)pipeline);
    if (!made || strcmp(made->written, kernel) == 0) return;
    snprintf(made->written, sizeof made->written, "%s", kernel);
    const report_calls calls = {device, NEXT(vkGetPipelineExecutablePropertiesKHR),
                                NEXT(vkGetPipelineExecutableStatisticsKHR),
                                NEXT(vkGetPipelineExecutableInternalRepresentationsKHR)};
    const pipeline_report report = {kernel, getenv("WEIR_ISA_TARGETS"), made->stages, pipeline,
                                    getenv("WEIR_ISA_LISTINGS") != NULL};
    report_pipeline(&calls, &report);
}

/* ---- Weir's self-test ----------------------------------------------------------------------- */

#define TEST_GROUP 64u
#define TEST_COUNT (4u * TEST_GROUP)
#define TEST_COUNTERS 8u

static VkBuffer found, counters, staging;
static VkDeviceMemory staging_memory;
static void *staging_bytes;

static uint32_t word_of(uint32_t i)
{
    return (i * i + 12345u) * 2654435761u ^ i;
}

static void compute_words(uint32_t (*words)[4])
{
    for (uint32_t i = 0; i < TEST_COUNT; i++) {
        words[i][0] = word_of(i);
        words[i][1] = word_of(i / TEST_GROUP * TEST_GROUP + (i + 17u) % TEST_GROUP);
        float x = 1.0f + (float)(words[i][1] >> 8) / 16777216.0f, sum = 0.0f, third = x / 3.0f;
        for (uint32_t k = 1; k <= 8; k++)
            sum += 1.0f / sqrtf(x * (float)k);
        memcpy(&words[i][2], &sum, sizeof sum);
        memcpy(&words[i][3], &third, sizeof third);
    }
}

static void answer_self_test(VkBuffer from, uint64_t size, void *to)
{
    static uint32_t words[TEST_COUNT][4];
    uint32_t sums[TEST_COUNTERS] = {0};
    compute_words(words);
    for (uint32_t i = 0; i < TEST_COUNT; i++)
        sums[words[i][0] & 7u] += words[i][1] & 255u;
    if (from == found && size == sizeof words) memcpy(to, words, sizeof words);
    if (from == counters && size == sizeof sums) memcpy(to, sums, sizeof sums);
}

/* As nothing runs, the results may be in the host's memory as soon as their copy is recorded. */
static void VKAPI_CALL copy_buffer(VkCommandBuffer commands, VkBuffer from, VkBuffer to,
                                   uint32_t count, const VkBufferCopy *regions)
{
    NEXT(vkCmdCopyBuffer)(commands, from, to, count, regions);
    if (staging_bytes && to == staging && count == 1)
        answer_self_test(from, regions->size, (char *)staging_bytes + regions->dstOffset);
}

static VkResult VKAPI_CALL bind_memory(VkDevice of, VkBuffer buffer, VkDeviceMemory memory,
                                       VkDeviceSize offset)
{
    if (buffer == staging) staging_memory = memory;
    return NEXT(vkBindBufferMemory)(of, buffer, memory, offset);
}

static VkResult VKAPI_CALL map_memory(VkDevice of, VkDeviceMemory memory, VkDeviceSize offset,
                                      VkDeviceSize size, VkMemoryMapFlags flags, void **out)
{
    VkResult code = NEXT(vkMapMemory)(of, memory, offset, size, flags, out);
    if (code >= 0 && memory == staging_memory) staging_bytes = *out;
    return code;
}

static void name_buffer(VkBuffer buffer, const char *name)
{
    if (strcmp(name, "staging") == 0) staging = buffer;
    if (strcmp(name, "found") == 0) found = buffer;
    if (strcmp(name, "counters") == 0) counters = buffer;
}

static VkResult VKAPI_CALL name_object(VkDevice of, const VkDebugUtilsObjectNameInfoEXT *info)
{
    bool is_module = info->objectType == VK_OBJECT_TYPE_SHADER_MODULE;
    fact *module = is_module ? find_fact(info->objectHandle) : NULL;
    if (module)
        snprintf(module->stages->shader, sizeof module->stages->shader, "%s", info->pObjectName);
    if (info->objectType == VK_OBJECT_TYPE_BUFFER)
        name_buffer((VkBuffer)info->objectHandle, info->pObjectName);
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE)
        write_pipeline(info->pObjectName, (VkPipeline)info->objectHandle);
    PFN_vkSetDebugUtilsObjectNameEXT next = NEXT(vkSetDebugUtilsObjectNameEXT);
    return next ? next(of, info) : VK_SUCCESS;
}

/* ---- queries of the loader ------------------------------------------------------------------ */

/* Adds the extension by which drivers report what they compile; Weir itself enables it in `weir
 * bench` only. */
static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkDevice *out)
{
    const char *names[REPORT_ITEMS_MAX];
    VkDeviceCreateInfo asked = *info;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pNext = (void *)(uintptr_t)info->pNext,
        .pipelineExecutableInfo = VK_TRUE};
    uint32_t count = info->enabledExtensionCount;
    if (count >= REPORT_ITEMS_MAX) give_up("room for extensions", 0);
    for (uint32_t i = 0; i < count; i++)
        names[i] = info->ppEnabledExtensionNames[i];
    names[count++] = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    asked.pNext = &executables;
    asked.enabledExtensionCount = count;
    asked.ppEnabledExtensionNames = names;
    report_driver(next_properties, physical);
    return layer_create_device(physical, &asked, memory, out);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetPhysicalDeviceQueueFamilyProperties", (PFN_vkVoidFunction)get_families},
        {"vkCreateShaderModule", (PFN_vkVoidFunction)create_module},
        {"vkCreateComputePipelines", (PFN_vkVoidFunction)create_compute},
        {"vkCreateGraphicsPipelines", (PFN_vkVoidFunction)create_graphics},
        {"vkDestroyPipeline", (PFN_vkVoidFunction)destroy_pipeline},
        {"vkSetDebugUtilsObjectNameEXT", (PFN_vkVoidFunction)name_object},
        {"vkCmdCopyBuffer", (PFN_vkVoidFunction)copy_buffer},
        {"vkBindBufferMemory", (PFN_vkVoidFunction)bind_memory},
        {"vkMapMemory", (PFN_vkVoidFunction)map_memory},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
