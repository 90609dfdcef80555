/* Optional features of a device, most of them for profiling: each is used where it is offered. */
#include "gpu_internal.h"

static bool offers_monotonic_clock(const gpu_device *device)
{
    VkTimeDomainEXT domains[16];
    uint32_t count = BASE_COUNT(domains);
    bool cpu = false, gpu = false;
    if (!device->instance.calls.list_clocks ||
        device->instance.calls.list_clocks(device->physical, &count, domains) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        cpu |= domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
        gpu |= domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
    }
    return cpu && gpu;
}

static void add_extension(gpu_extras *extras, const char *name)
{
    WEIR_ASSERT(extras->extension_count < BASE_COUNT(extras->extensions));
    extras->extensions[extras->extension_count++] = name;
}

/* The feature itself is one that Vulkan 1.3 promises. */
static weir_result take_subgroup(gpu_device *device, uint32_t size)
{
    const weir_device_info *info = &device->info;
    bool power = (size & (size - 1)) == 0;
    device->subgroup = size;
    if (size == 0 || (power && size >= info->subgroup_min && size <= info->subgroup_max))
        return WEIR_OK;
    if (info->subgroup_max == 0)
        return base_fail(&device->log, WEIR_ARGUMENT,
                         "subgroup %u: %s takes no size; leave it 0, its driver's choice", size,
                         info->name);
    if (info->subgroup_max == info->subgroup_min)
        return base_fail(&device->log, WEIR_ARGUMENT,
                         "subgroup %u: %s takes %u alone, or 0, its driver's choice", size,
                         info->name, info->subgroup_min);
    return base_fail(
        &device->log, WEIR_ARGUMENT,
        "subgroup %u: %s takes a power of two from %u to %u, or 0, its driver's choice", size,
        info->name, info->subgroup_min, info->subgroup_max);
}

static weir_result take_wishes(gpu_device *device, const weir_device_def *def)
{
    if (def->shaders && !gpu_shaders_can_reload())
        return gpu_shaders_reload(device); /* which says why not */
    device->shader_folder = def->shaders ? base_strdup(def->shaders) : NULL;
    if (def->shaders && !device->shader_folder)
        return base_fail(&device->log, WEIR_MEMORY, "no memory for a name");
    device->profile = def->profile || def->isa_folder;
    device->serialize = def->serialize;
    device->watched = def->profile || def->statistics;
    device->workgroup = def->workgroup;
    WEIR_NEED(take_subgroup(device, def->subgroup));
    if (!def->isa_folder) return WEIR_OK;
    device->isa_folder = base_strdup(def->isa_folder);
    if (!device->isa_folder) return base_fail(&device->log, WEIR_MEMORY, "no memory for a name");
    return base_folder_make(&device->log, device->isa_folder);
}

weir_result gpu_extras_choose(gpu_device *device, const weir_device_def *def, gpu_extras *extras)
{
    const gpu_calls *calls = &device->instance.calls;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 offered = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    *extras = (gpu_extras){.features = offered, .executables = executables};
    WEIR_NEED(take_wishes(device, def));
    bool listed = gpu_has_extension(calls, device->physical,
                                    VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    if (listed) offered.pNext = &executables;
    if (calls->get_features) calls->get_features(device->physical, &offered);
    if (gpu_has_extension(calls, device->physical, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) &&
        offers_monotonic_clock(device)) {
        add_extension(extras, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
        device->clock.offered = true;
    }
    device->blends_apart = offered.features.independentBlend;
    extras->features.features.independentBlend = device->blends_apart;
    device->statistics = def->statistics && offered.features.pipelineStatisticsQuery;
    extras->features.features.pipelineStatisticsQuery = device->statistics;
    if (def->statistics && !device->statistics)
        base_log(&device->log, WEIR_LOG_WARNING, "%s counts no shader invocations",
                 device->info.name);
    device->executables = device->profile && executables.pipelineExecutableInfo;
    if (device->executables) {
        add_extension(extras, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
        extras->executables.pipelineExecutableInfo = VK_TRUE;
        extras->features.pNext = &extras->executables;
    }
    if (!device->isa_folder || device->executables) return WEIR_OK;
    return base_fail(&device->log, WEIR_UNSUPPORTED,
                     "%s lists no machine code: its driver has no %s; leave out --isa",
                     device->info.name, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
}

/* ---- pipelines ------------------------------------------------------------------------------ */

/* The names that drivers give: NVIDIA "Register Count", Mesa "SGPRs", "VGPRs", "Spilled VGPRs",
 * "Scratch size", Intel "SEND Count" among others. */
static void take_statistic(gpu_kernel_facts *facts,
                           const VkPipelineExecutableStatisticKHR *statistic)
{
    bool whole = statistic->format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_UINT64_KHR ||
                 statistic->format == VK_PIPELINE_EXECUTABLE_STATISTIC_FORMAT_INT64_KHR;
    if (!whole) return;
    static const char *const registers[] = {"Register Count", "VGPRs", "Registers", "Max GPRs"};
    static const char *const spills[] = {"Local Memory Size", "Spill Size", "Scratch size",
                                         "Scratch Memory Size"};
    uint32_t value = (uint32_t)statistic->value.u64;
    for (size_t i = 0; i < BASE_COUNT(registers); i++)
        if (strcmp(statistic->name, registers[i]) == 0) facts->registers = value;
    for (size_t i = 0; i < BASE_COUNT(spills); i++)
        if (strcmp(statistic->name, spills[i]) == 0) facts->spill_bytes = value;
}

#define LISTED_MAX 64u
#define LISTING_MAX ((size_t)64 << 20)

static weir_result write_listing(gpu_device *device, const gpu_kernel *kernel, const char *title,
                                 const base_blob *listing)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%.80s.txt", kernel->name, title);
    for (char *c = name; *c; c++)
        if (*c == ' ' || *c == '/') *c = '_';
    char *path = base_path_join(device->isa_folder, name);
    if (!path) return base_fail(&device->log, WEIR_MEMORY, "no memory for a name");
    weir_result result = base_file_write(&device->log, path, listing->bytes, listing->size);
    base_free(path);
    return result;
}

static weir_result list_code(gpu_device *device, const gpu_kernel *kernel,
                             const VkPipelineExecutableInfoKHR *which)
{
    weir_result result = WEIR_OK;
    VkPipelineExecutableInternalRepresentationKHR items[LISTED_MAX];
    uint32_t count = LISTED_MAX;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutableInternalRepresentationKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    WEIR_TRY(
        GPU_VK(device, vkGetPipelineExecutableInternalRepresentationsKHR, which, &count, items));
    for (uint32_t i = 0; i < count; i++)
        items[i].pData = items[i].dataSize < LISTING_MAX ? base_alloc(items[i].dataSize, 1) : NULL;
    WEIR_TRY(
        GPU_VK(device, vkGetPipelineExecutableInternalRepresentationsKHR, which, &count, items));
    for (uint32_t i = 0; i < count && result == WEIR_OK; i++)
        if (items[i].pData)
            result = write_listing(device, kernel, items[i].name,
                                   &(base_blob){items[i].pData, items[i].dataSize});
fail:
    for (uint32_t i = 0; i < LISTED_MAX; i++)
        base_free(items[i].pData);
    return result;
}

static weir_result ask_executable(gpu_device *device, gpu_kernel *kernel,
                                  const VkPipelineExecutableInfoKHR *which)
{
    VkPipelineExecutableStatisticKHR items[LISTED_MAX];
    uint32_t count = LISTED_MAX;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    WEIR_NEED(GPU_VK(device, vkGetPipelineExecutableStatisticsKHR, which, &count, items));
    for (uint32_t i = 0; i < count; i++)
        take_statistic(&kernel->facts, &items[i]);
    return device->isa_folder ? list_code(device, kernel, which) : WEIR_OK;
}

static weir_result ask_executables(gpu_device *device, gpu_kernel *kernel, VkPipeline pipeline)
{
    VkPipelineInfoKHR which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, .pipeline = pipeline};
    VkPipelineExecutablePropertiesKHR items[8];
    uint32_t count = BASE_COUNT(items);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutablePropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    WEIR_NEED(GPU_VK(device, vkGetPipelineExecutablePropertiesKHR, &which, &count, items));
    for (uint32_t i = 0; i < count; i++) {
        kernel->facts.subgroup_size = items[i].subgroupSize;
        VkPipelineExecutableInfoKHR executable = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
            .pipeline = pipeline,
            .executableIndex = i};
        WEIR_NEED(ask_executable(device, kernel, &executable));
    }
    return WEIR_OK;
}

static weir_result time_creation(gpu_device *device, const VkComputePipelineCreateInfo *info,
                                 VkPipelineCache cache, double *ms, VkPipeline *pipeline)
{
    double start_s = base_time_s();
    WEIR_NEED(
        GPU_VK(device, vkCreateComputePipelines, cache, 1, info, device->allocator, pipeline));
    *ms = 1000.0 * (base_time_s() - start_s);
    return WEIR_OK;
}

/* Without a cache, then from the cache that has just been filled. */
static weir_result learn(gpu_device *device, const VkComputePipelineCreateInfo *info,
                         gpu_kernel *kernel)
{
    weir_result result;
    VkPipeline cold = VK_NULL_HANDLE, warm = VK_NULL_HANDLE;
    VkComputePipelineCreateInfo asked = *info;
    if (device->executables)
        asked.flags |=
            VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
            (device->isa_folder ? VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR : 0u);
    WEIR_TRY(time_creation(device, &asked, VK_NULL_HANDLE, &kernel->facts.cold_ms, &cold));
    WEIR_TRY(time_creation(device, info, device->pipeline_cache, &kernel->facts.warm_ms, &warm));
    if (device->executables) WEIR_TRY(ask_executables(device, kernel, cold));
fail:
    device->vk.vkDestroyPipeline(device->handle, cold, device->allocator);
    device->vk.vkDestroyPipeline(device->handle, warm, device->allocator);
    return result;
}

weir_result gpu_pipeline_create(gpu_device *device, const VkComputePipelineCreateInfo *info,
                                gpu_kernel *kernel)
{
    gpu_kernel_facts *facts = &kernel->facts;
    facts->registers = facts->spill_bytes = facts->subgroup_size = GPU_UNKNOWN;
    WEIR_NEED(GPU_VK(device, vkCreateComputePipelines, device->pipeline_cache, 1, info,
                     device->allocator, &kernel->pipeline));
    return device->profile ? learn(device, info, kernel) : WEIR_OK;
}

weir_row_time gpu_row_report(const gpu_row *row, const gpu_row_time *measured, double elements,
                             double pairs)
{
    const gpu_kernel_facts *facts = &row->kernel->facts;
    gpu_cost cost = gpu_row_cost(row, elements, pairs);
    return (weir_row_time){
        .name = row->kernel->name,
        .stage = row->stage ? row->stage : "",
        .group = row->group ? row->group : "",
        .calls = measured->calls,
        .median_ms = measured->median_ms,
        .low_ms = measured->low_ms,
        .high_ms = measured->high_ms,
        .total_ms = measured->total_ms,
        .invocations = measured->invocations,
        .elements = elements,
        .per_invocation = row->domain.per_invocation ? row->domain.per_invocation : 1,
        .bytes = cost.bytes,
        .gathered = cost.gathered,
        .flops = cost.flops,
        .atomics = cost.atomics,
        .pair_bytes = row->work.pairs ? (double)row->work.pair_bytes : 0,
        .spirv_hash = facts->hash,
        .compile_cold_ms = facts->cold_ms,
        .compile_warm_ms = facts->warm_ms,
        .registers = facts->registers,
        .spill_bytes = facts->spill_bytes,
        .subgroup_size = facts->subgroup_size,
    };
}

weir_row_time gpu_table_report(const char *name, const gpu_timers *timers, uint32_t rows)
{
    gpu_row_time all = gpu_timers_row(timers, rows);
    return (weir_row_time){
        .name = name,
        .stage = "",
        .group = "",
        .whole = true,
        .calls = all.calls,
        .median_ms = all.median_ms,
        .low_ms = all.low_ms,
        .high_ms = all.high_ms,
        .total_ms = all.total_ms,
        .registers = GPU_UNKNOWN,
        .spill_bytes = GPU_UNKNOWN,
        .subgroup_size = GPU_UNKNOWN,
    };
}
