/* A device whose limits are below what the kernels take is refused in words: the driver's answers
 * are made up, one limit lower than the driver's at a time. */
#include "gpu_internal.h"
#include "gpu_support.h"

static gpu_device *device;
static PFN_vkGetPhysicalDeviceProperties2 driver_properties;
static VkPhysicalDeviceLimits most; /* what a limit may be at the most; 0: what it is */

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
    lower(&limits->maxUniformBufferRange, most.maxUniformBufferRange);
    lower(&limits->maxPerStageDescriptorStorageBuffers, most.maxPerStageDescriptorStorageBuffers);
}

static int open_limited_device(void **state)
{
    (void)state;
    device = open_gpu(false);
    driver_properties = device->instance.calls.get_properties;
    device->instance.calls.get_properties = get_properties;
    return 0;
}

static int close_limited_device(void **state)
{
    (void)state;
    return close_gpu(&device);
}

static void a_device_with_a_limit_below_what_kernels_take_is_refused_in_words(void **state)
{
    (void)state;
    static const struct {
        VkPhysicalDeviceLimits most;
        const char *words;
    } rows[] = {
        {{.maxComputeWorkGroupInvocations = 128},
         "its workgroups hold 128 invocations; Weir needs 256"},
        {{.maxComputeWorkGroupSize = {64}}, "its workgroups hold 64 invocations; Weir needs 256"},
        {{.maxComputeSharedMemorySize = GPU_MAX_SHARED_BYTES - 1},
         "its workgroups share 16383 bytes; Weir needs 16384"},
        {{.maxUniformBufferRange = GPU_MAX_UNIFORM_BYTES - 1},
         "its uniform blocks hold 16383 bytes; Weir needs 16384"},
        {{.maxPerStageDescriptorStorageBuffers = 4}, "its shaders bind 4 storage buffers; Weir "},
    };
    weir_device_info info;
    for (size_t i = 0; i < BASE_COUNT(rows); i++) {
        most = rows[i].most;
        gpu_describe(&device->instance.calls, device->physical, &info);
        if (strncmp(info.unusable, rows[i].words, strlen(rows[i].words)) != 0)
            fail_msg("expected \"%s\", found \"%s\"", rows[i].words, info.unusable);
        assert_int_equal(gpu_usable_check(NULL, &info), WEIR_UNSUPPORTED);
    }
    most = (VkPhysicalDeviceLimits){.maxComputeSharedMemorySize = GPU_MAX_SHARED_BYTES,
                                    .maxUniformBufferRange = GPU_MAX_UNIFORM_BYTES,
                                    .maxComputeWorkGroupInvocations = GPU_MAX_WORKGROUP};
    gpu_describe(&device->instance.calls, device->physical, &info);
    assert_string_equal(info.unusable, "");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_device_with_a_limit_below_what_kernels_take_is_refused_in_words),
    };
    return cmocka_run_group_tests(tests, open_limited_device, close_limited_device);
}
