/* Optional features of a device, most of them for profiling; each is used where it is available. */
#include "gpu_internal.h"

static bool has_monotonic_clock(const gpu_device *device)
{
    VkTimeDomainEXT clock_domains[16];
    uint32_t count = BASE_COUNT(clock_domains);
    bool cpu = false, gpu = false;
    if (!device->instance.calls.list_clocks ||
        device->instance.calls.list_clocks(device->physical, &count, clock_domains) < 0)
        return false;
    for (uint32_t i = 0; i < count; i++) {
        cpu |= clock_domains[i] == VK_TIME_DOMAIN_CLOCK_MONOTONIC_EXT;
        gpu |= clock_domains[i] == VK_TIME_DOMAIN_DEVICE_EXT;
    }
    return cpu && gpu;
}

static void add_extension(gpu_optional_features *extras, const char *name)
{
    WEIR_ASSERT(extras->extension_count < BASE_COUNT(extras->extensions));
    extras->extensions[extras->extension_count++] = name;
}

/* Sets the subgroup size. The feature itself is guaranteed by Vulkan 1.3. */
static weir_result set_subgroup_size(gpu_device *device, uint32_t size)
{
    const weir_device_info *info = &device->info;
    bool power = (size & (size - 1)) == 0;
    device->subgroup = size;
    if (size == 0 || (power && size >= info->subgroup_min && size <= info->subgroup_max))
        return WEIR_OK;
    if (info->subgroup_max == 0)
        return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                         "subgroup %u: %s has a fixed subgroup size; use 0, the driver's choice",
                         size, info->name);
    if (info->subgroup_max == info->subgroup_min)
        return base_fail(&device->log, WEIR_ERROR_ARGUMENT,
                         "subgroup %u: %s supports only %u, or 0, the driver's choice", size,
                         info->name, info->subgroup_min);
    return base_fail(
        &device->log, WEIR_ERROR_ARGUMENT,
        "subgroup %u: %s supports a power of two from %u to %u, or 0, the driver's choice", size,
        info->name, info->subgroup_min, info->subgroup_max);
}

static weir_result apply_device_def(gpu_device *device, const weir_device_def *def)
{
    if (def->shader_folder && !gpu_shaders_can_reload())
        return gpu_shaders_reload(device); /* logs why it is not possible */
    device->shader_folder = def->shader_folder ? base_strdup(def->shader_folder) : NULL;
    if (def->shader_folder && !device->shader_folder)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for a name");
    device->profile = def->report_pipelines || def->isa_folder;
    device->serialize = def->serialize_passes;
    device->watched = def->report_pipelines || def->count_invocations;
    device->waits_longer = def->shader_validation;
    device->workgroup = def->workgroup_size;
    WEIR_RETURN_IF_ERROR(set_subgroup_size(device, def->subgroup_size));
    if (!def->isa_folder) return WEIR_OK;
    device->isa_folder = base_strdup(def->isa_folder);
    if (!device->isa_folder)
        return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for a name");
    return base_folder_make(&device->log, device->isa_folder);
}

weir_result gpu_optional_features_choose(gpu_device *device, const weir_device_def *def,
                                         gpu_optional_features *extras)
{
    const gpu_instance_calls *calls = &device->instance.calls;
    VkPhysicalDevicePipelineExecutablePropertiesFeaturesKHR executables = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PIPELINE_EXECUTABLE_PROPERTIES_FEATURES_KHR};
    VkPhysicalDeviceFeatures2 offered = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2};
    *extras = (gpu_optional_features){.features = offered, .executables = executables};
    WEIR_RETURN_IF_ERROR(apply_device_def(device, def));
    bool listed = gpu_has_extension(calls, device->physical,
                                    VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
    if (listed) offered.pNext = &executables;
    if (calls->get_features) calls->get_features(device->physical, &offered);
    if (gpu_has_extension(calls, device->physical, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME) &&
        has_monotonic_clock(device)) {
        add_extension(extras, VK_EXT_CALIBRATED_TIMESTAMPS_EXTENSION_NAME);
        device->clock.offered = true;
    }
    device->independent_blend = offered.features.independentBlend;
    extras->features.features.independentBlend = device->independent_blend;
    /* An access beyond a buffer then hits its end or is dropped, instead of other memory or a
     * reset. Lavapipe always does so; SwiftShader becomes an eighth slower by it. */
    extras->features.features.robustBufferAccess = (def->validation || def->shader_validation) &&
                                                   offered.features.robustBufferAccess &&
                                                   device->info.kind != WEIR_DEVICE_CPU;
    device->statistics = def->count_invocations && offered.features.pipelineStatisticsQuery;
    extras->features.features.pipelineStatisticsQuery = device->statistics;
    if (def->count_invocations && !device->statistics)
        base_log(&device->log, WEIR_LOG_WARNING, "%s cannot count shader invocations",
                 device->info.name);
    device->reports_faults = gpu_device_fault_choose(device, &extras->faults);
    if (device->reports_faults) {
        add_extension(extras, VK_EXT_DEVICE_FAULT_EXTENSION_NAME);
        extras->features.pNext = &extras->faults;
    }
    device->executables = device->profile && executables.pipelineExecutableInfo;
    if (device->executables) {
        add_extension(extras, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
        extras->executables.pipelineExecutableInfo = VK_TRUE;
        extras->executables.pNext = extras->features.pNext;
        extras->features.pNext = &extras->executables;
    }
    if (!device->isa_folder || device->executables) return WEIR_OK;
    return base_fail(&device->log, WEIR_ERROR_UNSUPPORTED,
                     "%s cannot list machine code: its driver lacks %s; omit --isa",
                     device->info.name, VK_KHR_PIPELINE_EXECUTABLE_PROPERTIES_EXTENSION_NAME);
}

/* ---- pipelines ------------------------------------------------------------------------------ */

/* Recognizes the names that drivers use: NVIDIA "Register Count"; Mesa "SGPRs", "VGPRs", "Spilled
 * VGPRs", "Scratch size"; Intel "SEND Count" among others. */
static void record_statistic(gpu_pipeline_stats *facts,
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

static weir_result write_listing_file(gpu_device *device, const gpu_pipeline *pipeline,
                                      const char *title, const base_blob *listing)
{
    char name[128];
    snprintf(name, sizeof name, "%s.%.80s.txt", pipeline->name, title);
    for (char *c = name; *c; c++)
        if (*c == ' ' || *c == '/') *c = '_';
    char *path = base_path_join(device->isa_folder, name);
    if (!path) return base_fail(&device->log, WEIR_ERROR_MEMORY, "not enough memory for a name");
    weir_result result = base_file_write(&device->log, path, listing->bytes, listing->size);
    base_free(path);
    return result;
}

static weir_result write_executable_listings(gpu_device *device, const gpu_pipeline *pipeline,
                                             const VkPipelineExecutableInfoKHR *which)
{
    weir_result result = WEIR_OK;
    VkPipelineExecutableInternalRepresentationKHR items[LISTED_MAX];
    uint32_t count = LISTED_MAX;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutableInternalRepresentationKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INTERNAL_REPRESENTATION_KHR};
    WEIR_GOTO_IF_ERROR(
        GPU_VK(device, vkGetPipelineExecutableInternalRepresentationsKHR, which, &count, items));
    for (uint32_t i = 0; i < count; i++)
        items[i].pData = items[i].dataSize < LISTING_MAX ? base_alloc(items[i].dataSize, 1) : NULL;
    WEIR_GOTO_IF_ERROR(
        GPU_VK(device, vkGetPipelineExecutableInternalRepresentationsKHR, which, &count, items));
    for (uint32_t i = 0; i < count && result == WEIR_OK; i++)
        if (items[i].pData)
            result = write_listing_file(device, pipeline, items[i].name,
                                        &(base_blob){items[i].pData, items[i].dataSize});
fail:
    for (uint32_t i = 0; i < LISTED_MAX; i++)
        base_free(items[i].pData);
    return result;
}

static weir_result query_executable(gpu_device *device, gpu_pipeline *pipeline,
                                    const VkPipelineExecutableInfoKHR *which)
{
    VkPipelineExecutableStatisticKHR items[LISTED_MAX];
    uint32_t count = LISTED_MAX;
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutableStatisticKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR};
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkGetPipelineExecutableStatisticsKHR, which, &count, items));
    for (uint32_t i = 0; i < count; i++)
        record_statistic(&pipeline->stats, &items[i]);
    return device->isa_folder ? write_executable_listings(device, pipeline, which) : WEIR_OK;
}

static weir_result query_executables(gpu_device *device, gpu_pipeline *pipeline,
                                     VkPipeline vk_pipeline)
{
    VkPipelineInfoKHR which = {.sType = VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR,
                               .pipeline = vk_pipeline};
    VkPipelineExecutablePropertiesKHR items[8];
    uint32_t count = BASE_COUNT(items);
    for (uint32_t i = 0; i < count; i++)
        items[i] = (VkPipelineExecutablePropertiesKHR){
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR};
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkGetPipelineExecutablePropertiesKHR, &which, &count, items));
    for (uint32_t i = 0; i < count; i++) {
        pipeline->stats.subgroup_size = items[i].subgroupSize;
        VkPipelineExecutableInfoKHR executable = {
            .sType = VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR,
            .pipeline = vk_pipeline,
            .executableIndex = i};
        WEIR_RETURN_IF_ERROR(query_executable(device, pipeline, &executable));
    }
    return WEIR_OK;
}

static weir_result time_pipeline_creation(gpu_device *device,
                                          const VkComputePipelineCreateInfo *info,
                                          VkPipelineCache cache, double *ms,
                                          VkPipeline *vk_pipeline)
{
    double start_s = base_time_s();
    WEIR_RETURN_IF_ERROR(
        GPU_VK(device, vkCreateComputePipelines, cache, 1, info, device->allocator, vk_pipeline));
    *ms = 1000.0 * (base_time_s() - start_s);
    return WEIR_OK;
}

/* Creates the pipeline twice: without a cache, then with the cache that has just been filled, for
 * the cold and warm times. */
static weir_result query_pipeline_stats(gpu_device *device, const VkComputePipelineCreateInfo *info,
                                        gpu_pipeline *pipeline)
{
    weir_result result;
    VkPipeline cold = VK_NULL_HANDLE, warm = VK_NULL_HANDLE;
    VkComputePipelineCreateInfo asked = *info;
    if (device->executables)
        asked.flags |=
            VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR |
            (device->isa_folder ? VK_PIPELINE_CREATE_CAPTURE_INTERNAL_REPRESENTATIONS_BIT_KHR : 0u);
    WEIR_GOTO_IF_ERROR(
        time_pipeline_creation(device, &asked, VK_NULL_HANDLE, &pipeline->stats.cold_ms, &cold));
    WEIR_GOTO_IF_ERROR(time_pipeline_creation(device, info, device->pipeline_cache,
                                              &pipeline->stats.warm_ms, &warm));
    if (device->executables) WEIR_GOTO_IF_ERROR(query_executables(device, pipeline, cold));
fail:
    device->vk.vkDestroyPipeline(device->handle, cold, device->allocator);
    device->vk.vkDestroyPipeline(device->handle, warm, device->allocator);
    return result;
}

weir_result gpu_vk_pipeline_create(gpu_device *device, const VkComputePipelineCreateInfo *info,
                                   gpu_pipeline *pipeline)
{
    gpu_pipeline_stats *facts = &pipeline->stats;
    facts->registers = facts->spill_bytes = facts->subgroup_size = GPU_STAT_UNKNOWN;
    WEIR_RETURN_IF_ERROR(GPU_VK(device, vkCreateComputePipelines, device->pipeline_cache, 1, info,
                                device->allocator, &pipeline->handle));
    return device->profile ? query_pipeline_stats(device, info, pipeline) : WEIR_OK;
}

weir_pass_time gpu_pass_report(const gpu_pass *pass, const gpu_pass_time *measured, double elements,
                               double pairs)
{
    const gpu_pipeline_stats *facts = &pass->pipeline->stats;
    gpu_cost cost = gpu_pass_cost(pass, elements, pairs);
    return (weir_pass_time){
        .name = pass->pipeline->name,
        .stage = pass->stage ? pass->stage : "",
        .group = pass->group ? pass->group : "",
        .calls = measured->calls,
        .median_ms = measured->median_ms,
        .lower_quartile_ms = measured->lower_quartile_ms,
        .upper_quartile_ms = measured->upper_quartile_ms,
        .total_ms = measured->total_ms,
        .invocations = measured->invocations,
        .elements = elements,
        .per_invocation =
            pass->dispatch_size.per_invocation ? pass->dispatch_size.per_invocation : 1,
        .bytes = cost.bytes,
        .gathered_bytes = cost.gathered,
        .flops = cost.flops,
        .atomics = cost.atomics,
        .pair_bytes = pass->work.pairs ? (double)pass->work.pair_bytes : 0,
        .spirv_hash = facts->hash,
        .compile_cold_ms = facts->cold_ms,
        .compile_warm_ms = facts->warm_ms,
        .registers = facts->registers,
        .spill_bytes = facts->spill_bytes,
        .subgroup_size = facts->subgroup_size,
    };
}

weir_pass_time gpu_pass_list_report(const char *name, const gpu_timers *timers)
{
    gpu_pass_time all = gpu_timers_pass_time(timers, timers->pass_count);
    return (weir_pass_time){
        .name = name,
        .stage = "",
        .group = "",
        .is_total = true,
        .calls = all.calls,
        .median_ms = all.median_ms,
        .lower_quartile_ms = all.lower_quartile_ms,
        .upper_quartile_ms = all.upper_quartile_ms,
        .total_ms = all.total_ms,
        .registers = GPU_STAT_UNKNOWN,
        .spill_bytes = GPU_STAT_UNKNOWN,
        .subgroup_size = GPU_STAT_UNKNOWN,
    };
}
