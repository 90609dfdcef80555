/* Tests device limits with forged driver answers: a device whose limits are below the kernels'
 * requirements is rejected with a message, one limit at a time; subgroups have the requested
 * size. */
#include "device_support.h"
#include "gpu_internal.h"
#include "tests/shaders.h"

static PFN_vkGetPhysicalDeviceProperties2 driver_properties;
static VkPhysicalDeviceLimits most; /* upper bounds of limits; 0: unchanged */
/* minSubgroupSize 0: as the driver reports */
static VkPhysicalDeviceSubgroupSizeControlProperties subgroups;
static PFN_vkCreateComputePipelines create_pipelines;
static uint32_t asked; /* subgroup size of the last pipeline; 0: not requested */

static void lower(uint32_t *limit, uint32_t bound)
{
    if (bound > 0 && *limit > bound) *limit = bound;
}

static void VKAPI_PTR get_properties(VkPhysicalDevice physical, VkPhysicalDeviceProperties2 *out)
{
    driver_properties(physical, out);
    VkPhysicalDeviceLimits *limits = &out->properties.limits;
    lower(&limits->maxComputeWorkGroupInvocations, most.maxComputeWorkGroupInvocations);
    lower(&limits->maxComputeWorkGroupSize[0], most.maxComputeWorkGroupSize[0]);
    lower(&limits->maxComputeSharedMemorySize, most.maxComputeSharedMemorySize);
    lower(&limits->maxPerStageDescriptorStorageBuffers, most.maxPerStageDescriptorStorageBuffers);
    VkPhysicalDeviceSubgroupSizeControlProperties *sizes = out->pNext;
    if (subgroups.minSubgroupSize == 0 || !sizes || sizes->sType != subgroups.sType) return;
    void *next = sizes->pNext;
    *sizes = subgroups;
    sizes->pNext = next;
}

static VkResult VKAPI_PTR see_pipeline(VkDevice handle, VkPipelineCache cache, uint32_t count,
                                       const VkComputePipelineCreateInfo *infos,
                                       const VkAllocationCallbacks *allocator,
                                       VkPipeline *pipelines)
{
    const VkPipelineShaderStageRequiredSubgroupSizeCreateInfo *size = infos->stage.pNext;
    asked = size ? size->requiredSubgroupSize : 0;
    return create_pipelines(handle, cache, count, infos, allocator, pipelines);
}

static int open_limited_device(void **state)
{
    device = open_gpu(false);
    driver_properties = device->instance.calls.get_properties;
    device->instance.calls.get_properties = get_properties;
    return 0;
}

static void a_device_with_a_limit_below_what_shaders_need_is_refused_in_words(void **state)
{
    static const struct {
        VkPhysicalDeviceLimits most;
        const char *words;
    } rows[] = {
        {{.maxComputeWorkGroupInvocations = 128},
         "its workgroups have 128 invocations; Weir needs 256"},
        {{.maxComputeWorkGroupSize = {64}}, "its workgroups have 64 invocations; Weir needs 256"},
        {{.maxComputeSharedMemorySize = GPU_MAX_SHARED_BYTES - 1},
         "its workgroups share 16383 bytes; Weir needs 16384"},
        {{.maxPerStageDescriptorStorageBuffers = 4}, "its shaders bind 4 storage buffers; Weir "},
    };
    weir_device_info info;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        most = rows[i].most;
        gpu_physical_device_describe(&device->instance.calls, device->physical, &info);
        if (strncmp(info.unsupported_reason, rows[i].words, strlen(rows[i].words)) != 0)
            fail_msg("expected \"%s\", found \"%s\"", rows[i].words, info.unsupported_reason);
        assert_int_equal(gpu_device_check_usable(NULL, &info), WEIR_ERROR_UNSUPPORTED);
    }
    most = (VkPhysicalDeviceLimits){.maxComputeSharedMemorySize = GPU_MAX_SHARED_BYTES,
                                    .maxComputeWorkGroupInvocations = GPU_MAX_WORKGROUP};
    gpu_physical_device_describe(&device->instance.calls, device->physical, &info);
    assert_string_equal(info.unsupported_reason, "");
}

static void subgroup_sizes_are_those_that_every_pipeline_supports(void **state)
{
    static const struct {
        uint32_t min, max, in_workgroup, stages, can_be_min, can_be_max;
    } rows[] = {
        {32, 64, 8, VK_SHADER_STAGE_COMPUTE_BIT, 32, 64},
        {8, 32, 64, VK_SHADER_STAGE_ALL, 8, 32},
        {8, 32, 64, VK_SHADER_STAGE_VERTEX_BIT, 0, 0},
        {8, 32, 31, VK_SHADER_STAGE_COMPUTE_BIT, 0, 0}, /* 248 invocations */
    };
    weir_device_info info;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        subgroups = (VkPhysicalDeviceSubgroupSizeControlProperties){
            .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SUBGROUP_SIZE_CONTROL_PROPERTIES,
            .minSubgroupSize = rows[i].min,
            .maxSubgroupSize = rows[i].max,
            .maxComputeWorkgroupSubgroups = rows[i].in_workgroup,
            .requiredSubgroupSizeStages = rows[i].stages};
        gpu_physical_device_describe(&device->instance.calls, device->physical, &info);
        assert_int_equal(info.subgroup_min, rows[i].can_be_min);
        assert_int_equal(info.subgroup_max, rows[i].can_be_max);
    }
    subgroups.minSubgroupSize = 0;
}

/* Returns the subgroup size that a kernel on such a device requests from its driver. */
static uint32_t asked_with(uint32_t subgroup)
{
    gpu_pipeline *pipeline = NULL;
    weir_device_def def = test_device_def();
    gpu_device *own = NULL;
    def.cache_folder = "";
    def.subgroup_size = subgroup;
    OK(gpu_device_create(&def, &own));
    create_pipelines = own->vk.vkCreateComputePipelines;
    own->vk.vkCreateComputePipelines = see_pipeline;
    OK(gpu_pipeline_create(own, &(gpu_pipeline_def){.shader = &tests_shaders[TEST_PASS_END_LOOP]},
                           &pipeline));
    gpu_pipeline_destroy(own, &pipeline);
    gpu_device_destroy(&own);
    return asked;
}

static void pipelines_request_the_subgroup_of_the_def(void **state)
{
    uint32_t size = device->info.subgroup_min;
    assert_int_equal(asked_with(0), 0);
    if (size > 0)
        assert_int_equal(asked_with(size), size);
    else
        print_message("  %s takes no size\n", device->info.name);
}

/* Returns whether a device of this kind limits the accesses of its shaders to their buffers. */
static bool is_robust(weir_device_kind kind, bool validation, bool shader_validation)
{
    gpu_optional_features features;
    weir_device_info kept = device->info;
    weir_device_def def = test_device_def();
    def.validation = validation;
    def.shader_validation = shader_validation;
    device->info.kind = kind;
    OK(gpu_optional_features_choose(device, &def, &features));
    device->info = kept;
    return features.features.features.robustBufferAccess;
}

static void validation_limits_accesses_of_gpus_to_their_buffers(void **state)
{
    assert_false(is_robust(WEIR_DEVICE_DISCRETE, false, false));
    assert_true(is_robust(WEIR_DEVICE_DISCRETE, true, false));
    assert_true(is_robust(WEIR_DEVICE_INTEGRATED, false, true));
    assert_false(is_robust(WEIR_DEVICE_CPU, true, true));
    device->waits_longer = false;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_with_a_limit_below_what_shaders_need_is_refused_in_words),
        cmocka_unit_test(subgroup_sizes_are_those_that_every_pipeline_supports),
        cmocka_unit_test(pipelines_request_the_subgroup_of_the_def),
        cmocka_unit_test(validation_limits_accesses_of_gpus_to_their_buffers),
    };
    return cmocka_run_group_tests(tests, open_limited_device, close_device);
}
