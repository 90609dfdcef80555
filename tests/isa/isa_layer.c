/* A Vulkan layer that also compiles every pipeline of a program for GPUs that are not present. The
 * program runs on its own driver, which the layer reports as a discrete GPU, so that the kernels
 * are those that a GPU gets. Mesa's RADV compiles for AMD GPUs without hardware (its null device);
 * the layer opens such a device for each of WEIR_ISA_TARGETS, such as "NAVI21-32,VEGA10-64", and
 * creates the same modules, layouts and pipelines on it. When a pipeline gets its name, the layer
 * writes RADV's output into the folder WEIR_ISA: one file per target and stage, with the shader,
 * its specialization constants, a line for each statistic and then the disassembly. */
#define _POSIX_C_SOURCE 200809L
#include <dlfcn.h>
#include <vulkan/vk_icd.h>

#include "pipeline_report.h"
#include "vulkan_layer.h"

#include "loader_queries.h"

#define RADV "libvulkan_radeon.so"

#define TARGETS_MAX 8u

/* A GPU family by RADV's name, with 32 or 64 lanes, such as NAVI21-32. */
typedef struct target {
    char name[32];
    VkDevice device; /* RADV's device */
} target;

static target targets[TARGETS_MAX]; /* the targets in WEIR_ISA_TARGETS */
static uint32_t target_count;

static PFN_vkGetDeviceProcAddr radv_device_call;

#define THEIRS(t, name) ((PFN_##name)radv_device_call(targets[t].device, #name))

/* A module, layout or pipeline of the program, and its counterparts on the targets. */
typedef struct twin {
    uint64_t ours, theirs[TARGETS_MAX];
    stage_facts stages[2]; /* stages of a pipeline; for a module, the first holds its name */
    bool is_kernel;        /* a compute pipeline */
} twin;
static twin *twins;
static size_t twin_count;

/* Returns the newest entry with this handle, because drivers reuse handles. */
static twin *find_twin(uint64_t ours)
{
    for (size_t i = twin_count; i > 0; i--)
        if (twins[i - 1].ours == ours) return &twins[i - 1];
    give_up("finding the twin of a handle", 0);
    return NULL;
}

static twin *new_twin(uint64_t ours)
{
    twins = realloc(twins, (twin_count + 1) * sizeof *twins);
    if (!twins) give_up("realloc", 0);
    twins[twin_count] = (twin){.ours = ours};
    return &twins[twin_count++];
}

/* ---- RADV devices --------------------------------------------------------------------------- */

static VkPhysicalDevice find_gpu(PFN_vkGetInstanceProcAddr call, VkInstance of)
{
    VkPhysicalDevice physical = VK_NULL_HANDLE;
    uint32_t count = 1;
    VkResult code = ((PFN_vkEnumeratePhysicalDevices)call(of, "vkEnumeratePhysicalDevices"))(
        of, &count, &physical);
    if (code < 0 || count == 0) give_up("RADV's vkEnumeratePhysicalDevices", code);
    return physical;
}

/* RADV reads its target from the environment. */
static VkInstance open_instance(PFN_vkGetInstanceProcAddr call, const char *name)
{
    char family[32];
    snprintf(family, sizeof family, "%.*s", (int)strcspn(name, "-"), name);
    setenv("RADV_FORCE_FAMILY", family, 1);
    setenv("RADV_PERFTEST", strstr(name, "-32") ? "cswave32,gewave32,pswave32" : "", 1);
    VkApplicationInfo program = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                 .apiVersion = VK_API_VERSION_1_3};
    VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                 .pApplicationInfo = &program};
    VkInstance of = VK_NULL_HANDLE;
    VkResult code = ((PFN_vkCreateInstance)call(NULL, "vkCreateInstance"))(&info, NULL, &of);
    if (code < 0) give_up("RADV's vkCreateInstance", code);
    return of;
}

static void open_target(PFN_vkGetInstanceProcAddr call, target *t)
{
    static const char *const extension = VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME;
    static const float priority = 1.0f;
    VkInstance of = open_instance(call, t->name);
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR,
        .pipelineExecutableInfo = VK_TRUE};
    VkPhysicalDeviceVulkan13Features features = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
        .pNext = &executables,
        .dynamicRendering = VK_TRUE,
        .maintenance4 = VK_TRUE};
    VkDeviceQueueCreateInfo queue = {.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
                                     .queueCount = 1,
                                     .pQueuePriorities = &priority};
    VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                               .pNext = &features,
                               .queueCreateInfoCount = 1,
                               .pQueueCreateInfos = &queue,
                               .enabledExtensionCount = 1,
                               .ppEnabledExtensionNames = &extension};
    PFN_vkCreateDevice create = (PFN_vkCreateDevice)call(of, "vkCreateDevice");
    VkPhysicalDevice physical = find_gpu(call, of);
    report_driver((PFN_vkGetPhysicalDeviceProperties2)call(of, "vkGetPhysicalDeviceProperties2"),
                  physical);
    VkResult code = create(physical, &info, NULL, &t->device);
    if (code < 0) give_up("RADV's vkCreateDevice", code);
    radv_device_call = (PFN_vkGetDeviceProcAddr)call(of, "vkGetDeviceProcAddr");
}

static void open_targets(void)
{
    void *library = dlopen(RADV, RTLD_NOW | RTLD_LOCAL);
    if (!library) give_up(dlerror(), 0);
    PFN_vkGetInstanceProcAddr call =
        (PFN_vkGetInstanceProcAddr)dlsym(library, "vk_icdGetInstanceProcAddr");
    if (!call) give_up("finding vk_icdGetInstanceProcAddr in " RADV, 0);
    for (const char *name = getenv("WEIR_ISA_TARGETS"); name && *name;) {
        size_t length = strcspn(name, ",");
        if (target_count == TARGETS_MAX) give_up("WEIR_ISA_TARGETS: room for its targets", 0);
        snprintf(targets[target_count].name, sizeof targets->name, "%.*s", (int)length, name);
        open_target(call, &targets[target_count++]);
        name += name[length] ? length + 1 : length;
    }
}

/* ---- duplicated objects --------------------------------------------------------------------- */

static VkResult VKAPI_CALL create_module(VkDevice of, const VkShaderModuleCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkShaderModule *out)
{
    VkResult code = NEXT(vkCreateShaderModule)(of, info, memory, out);
    if (code < 0) return code;
    twin *made = new_twin((uint64_t)*out);
    for (uint32_t t = 0; t < target_count; t++)
        THEIRS(t, vkCreateShaderModule)
    (targets[t].device, info, NULL, (VkShaderModule *)&made->theirs[t]);
    return code;
}

static VkResult VKAPI_CALL create_set_layout(VkDevice of,
                                             const VkDescriptorSetLayoutCreateInfo *info,
                                             const VkAllocationCallbacks *memory,
                                             VkDescriptorSetLayout *out)
{
    VkResult code = NEXT(vkCreateDescriptorSetLayout)(of, info, memory, out);
    if (code < 0) return code;
    twin *made = new_twin((uint64_t)*out);
    for (uint32_t t = 0; t < target_count; t++)
        THEIRS(t, vkCreateDescriptorSetLayout)
    (targets[t].device, info, NULL, (VkDescriptorSetLayout *)&made->theirs[t]);
    return code;
}

/* Weir's pipelines have one descriptor set. */
static VkResult VKAPI_CALL create_layout(VkDevice of, const VkPipelineLayoutCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkPipelineLayout *out)
{
    VkResult code = NEXT(vkCreatePipelineLayout)(of, info, memory, out);
    if (code < 0) return code;
    twin *made = new_twin((uint64_t)*out);
    const twin *set = find_twin((uint64_t)info->pSetLayouts[0]);
    for (uint32_t t = 0; t < target_count; t++) {
        VkPipelineLayoutCreateInfo asked = *info;
        VkDescriptorSetLayout layout = (VkDescriptorSetLayout)set->theirs[t];
        asked.pSetLayouts = &layout;
        THEIRS(t, vkCreatePipelineLayout)
        (targets[t].device, &asked, NULL, (VkPipelineLayout *)&made->theirs[t]);
    }
    return code;
}

static stage_facts facts_of(const VkPipelineShaderStageCreateInfo *stage)
{
    stage_facts facts = find_twin((uint64_t)stage->module)->stages[0];
    VkSpecializationMapEntry entries[CONSTANTS_MAX];
    VkSpecializationInfo special = {0};
    if (stage->pSpecializationInfo)
        special = report_all_shapes(stage->pSpecializationInfo, entries);
    report_constants(&facts, &special);
    return facts;
}

/* Returns a pipeline that was compiled for the same stage; NULL if there is none. */
static const twin *find_compiled(const stage_facts *stage)
{
    for (size_t i = 0; i < twin_count; i++)
        if (twins[i].is_kernel && report_same_stage(twins[i].stages, stage)) return &twins[i];
    return NULL;
}

static VkResult compile_on_targets(const VkComputePipelineCreateInfo *info, twin *made)
{
    const twin *module = find_twin((uint64_t)info->stage.module);
    const twin *layout = find_twin((uint64_t)info->layout);
    VkSpecializationMapEntry entries[CONSTANTS_MAX];
    VkSpecializationInfo special;
    VkResult code = VK_SUCCESS;
    for (uint32_t t = 0; t < target_count && code >= 0; t++) {
        VkComputePipelineCreateInfo asked = *info;
        asked.flags |= REPORT_FLAGS;
        asked.stage.module = (VkShaderModule)module->theirs[t];
        if (info->stage.pSpecializationInfo) {
            special = report_all_shapes(info->stage.pSpecializationInfo, entries);
            asked.stage.pSpecializationInfo = &special;
        }
        asked.layout = (VkPipelineLayout)layout->theirs[t];
        code = THEIRS(t, vkCreateComputePipelines)(targets[t].device, VK_NULL_HANDLE, 1, &asked,
                                                   NULL, (VkPipeline *)&made->theirs[t]);
    }
    return code;
}

static VkResult VKAPI_CALL create_compute(VkDevice of, VkPipelineCache cache, uint32_t count,
                                          const VkComputePipelineCreateInfo *info,
                                          const VkAllocationCallbacks *memory, VkPipeline *out)
{
    VkResult code = NEXT(vkCreateComputePipelines)(of, cache, count, info, memory, out);
    if (code < 0) return code;
    twin made = {.ours = (uint64_t)*out, .stages = {facts_of(&info->stage)}, .is_kernel = true};
    const twin *compiled = find_compiled(made.stages);
    if (compiled)
        memcpy(made.theirs, compiled->theirs, sizeof made.theirs);
    else
        code = compile_on_targets(info, &made);
    *new_twin(made.ours) = made;
    return code;
}

/* Creates a pipeline with a vertex and a fragment stage. */
static VkResult VKAPI_CALL create_graphics(VkDevice of, VkPipelineCache cache, uint32_t count,
                                           const VkGraphicsPipelineCreateInfo *info,
                                           const VkAllocationCallbacks *memory, VkPipeline *out)
{
    VkResult code = NEXT(vkCreateGraphicsPipelines)(of, cache, count, info, memory, out);
    if (code < 0) return code;
    const stage_facts facts[2] = {facts_of(&info->pStages[0]), facts_of(&info->pStages[1])};
    twin *made = new_twin((uint64_t)*out);
    memcpy(made->stages, facts, sizeof facts);
    const twin *modules[2] = {find_twin((uint64_t)info->pStages[0].module),
                              find_twin((uint64_t)info->pStages[1].module)};
    for (uint32_t t = 0; t < target_count && code >= 0; t++) {
        VkGraphicsPipelineCreateInfo asked = *info;
        VkPipelineShaderStageCreateInfo stages[2] = {info->pStages[0], info->pStages[1]};
        for (uint32_t s = 0; s < 2; s++)
            stages[s].module = (VkShaderModule)modules[s]->theirs[t];
        asked.flags |= REPORT_FLAGS;
        asked.pStages = stages;
        asked.layout = (VkPipelineLayout)find_twin((uint64_t)info->layout)->theirs[t];
        code = THEIRS(t, vkCreateGraphicsPipelines)(targets[t].device, VK_NULL_HANDLE, 1, &asked,
                                                    NULL, (VkPipeline *)&made->theirs[t]);
    }
    return code;
}

/* ---- output --------------------------------------------------------------------------------- */

static void write_pipeline(const char *kernel, uint32_t t, const twin *made)
{
    const report_calls calls = {targets[t].device, THEIRS(t, vkGetPipelineExecutablePropertiesKHR),
                                THEIRS(t, vkGetPipelineExecutableStatisticsKHR),
                                THEIRS(t, vkGetPipelineExecutableInternalRepresentationsKHR)};
    const pipeline_report report = {kernel, targets[t].name, made->stages,
                                    (VkPipeline)made->theirs[t], true};
    report_pipeline(&calls, &report);
}

static VkResult VKAPI_CALL name_object(VkDevice of, const VkDebugUtilsObjectNameInfoEXT *info)
{
    if (info->objectType == VK_OBJECT_TYPE_SHADER_MODULE) {
        stage_facts *module = find_twin(info->objectHandle)->stages;
        snprintf(module->shader, sizeof module->shader, "%s", info->pObjectName);
    }
    if (info->objectType == VK_OBJECT_TYPE_PIPELINE)
        for (uint32_t t = 0; t < target_count; t++)
            write_pipeline(info->pObjectName, t, find_twin(info->objectHandle));
    PFN_vkSetDebugUtilsObjectNameEXT next = NEXT(vkSetDebugUtilsObjectNameEXT);
    return next ? next(of, info) : VK_SUCCESS;
}

/* ---- queries of the loader ------------------------------------------------------------------ */

static void VKAPI_CALL get_properties(VkPhysicalDevice of, VkPhysicalDeviceProperties2 *properties)
{
    next_properties(of, properties);
    properties->properties.deviceType = VK_PHYSICAL_DEVICE_TYPE_DISCRETE_GPU;
}

static VkResult VKAPI_CALL create_device(VkPhysicalDevice physical, const VkDeviceCreateInfo *info,
                                         const VkAllocationCallbacks *memory, VkDevice *out)
{
    if (target_count == 0) open_targets();
    return layer_create_device(physical, info, memory, out);
}

static PFN_vkVoidFunction layer_call_of(const char *name)
{
    static const layer_call ours[] = {
        {"vkCreateInstance", (PFN_vkVoidFunction)create_instance},
        {"vkCreateDevice", (PFN_vkVoidFunction)create_device},
        {"vkGetPhysicalDeviceProperties2", (PFN_vkVoidFunction)get_properties},
        {"vkGetPhysicalDeviceQueueFamilyProperties", (PFN_vkVoidFunction)get_families},
        {"vkCreateShaderModule", (PFN_vkVoidFunction)create_module},
        {"vkCreateDescriptorSetLayout", (PFN_vkVoidFunction)create_set_layout},
        {"vkCreatePipelineLayout", (PFN_vkVoidFunction)create_layout},
        {"vkCreateComputePipelines", (PFN_vkVoidFunction)create_compute},
        {"vkCreateGraphicsPipelines", (PFN_vkVoidFunction)create_graphics},
        {"vkSetDebugUtilsObjectNameEXT", (PFN_vkVoidFunction)name_object},
    };
    return layer_find(ours, LAYER_COUNT(ours), name);
}
