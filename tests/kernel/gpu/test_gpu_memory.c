/* Tests the report of device memory when other programs use a part of it. The driver's answers are
 * forged, because no driver here reports other programs. */
#include "device_support.h"
#include "gpu_internal.h"

#define MIB (1024ull * 1024)

static char said[1024];
static bool tells; /* whether the driver reports VK_EXT_memory_budget */

static VkResult VKAPI_PTR list_extensions(VkPhysicalDevice physical, const char *layer,
                                          uint32_t *count, VkExtensionProperties *list)
{
    (void)physical;
    (void)layer;
    *count = tells;
    if (list && tells)
        *list = (VkExtensionProperties){.extensionName = VK_EXT_MEMORY_BUDGET_EXTENSION_NAME};
    return VK_SUCCESS;
}

/* In the second heap, the largest of the device, Weir has a budget of 600 MiB and uses 100. */
static void VKAPI_PTR get_memory(VkPhysicalDevice physical, VkPhysicalDeviceMemoryProperties2 *out)
{
    (void)physical;
    VkPhysicalDeviceMemoryBudgetPropertiesEXT *budget = out->pNext;
    out->memoryProperties = (VkPhysicalDeviceMemoryProperties){
        .memoryHeapCount = 3,
        .memoryHeaps = {{256 * MIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
                        {1000 * MIB, VK_MEMORY_HEAP_DEVICE_LOCAL_BIT},
                        {4000 * MIB, 0}}};
    assert_int_equal(budget != NULL, tells);
    if (!budget) return;
    budget->heapBudget[1] = 600 * MIB;
    budget->heapUsage[1] = 100 * MIB;
}

static void keep_log(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    snprintf(said, sizeof said, "%s", text);
}

static int open_told_device(void **state)
{
    device = open_gpu(false);
    device->log = (weir_log){.write = keep_log, .level = WEIR_LOG_WARNING};
    device->instance.calls.list_extensions = list_extensions;
    device->instance.calls.get_memory = get_memory;
    return 0;
}

/* The memory types of a discrete GPU, and those of one without mappable memory of its own. */
static void uploads_go_to_memory_of_the_device_and_read_backs_to_that_of_the_host(void **state)
{
    const VkMemoryPropertyFlags local = VK_MEMORY_PROPERTY_DEVICE_LOCAL_BIT,
                                host = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
                                       VK_MEMORY_PROPERTY_HOST_COHERENT_BIT,
                                cached = VK_MEMORY_PROPERTY_HOST_CACHED_BIT;
    const VkPhysicalDeviceMemoryProperties types = {
        .memoryTypeCount = 4,
        .memoryTypes = {{local, 0}, {host, 1}, {host | cached, 1}, {local | host, 2}}};
    assert_int_equal(gpu_memory_type(&types, 0xf, GPU_MEMORY_DEVICE), 0);
    assert_int_equal(gpu_memory_type(&types, 0xf, GPU_MEMORY_HOST), 2);
    assert_int_equal(gpu_memory_type(&types, 0xf, GPU_MEMORY_UPLOAD), 3);
    assert_int_equal(gpu_memory_type(&types, 0x7, GPU_MEMORY_UPLOAD), 1);
    assert_int_equal(gpu_memory_type(&types, 0x1, GPU_MEMORY_UPLOAD), UINT32_MAX);
}

/* A driver may have no mappable memory of the device left. */
static PFN_vkAllocateMemory driver_allocates;
static uint32_t refused;

static VkResult VKAPI_PTR refuse_once(VkDevice handle, const VkMemoryAllocateInfo *info,
                                      const VkAllocationCallbacks *calls, VkDeviceMemory *out)
{
    if (refused++ == 0) return VK_ERROR_OUT_OF_DEVICE_MEMORY;
    return driver_allocates(handle, info, calls, out);
}

static void uploads_fall_back_on_memory_of_the_host(void **state)
{
    gpu_buffer *buffer;
    const gpu_buffer_def def = {.name = "small", .stride = 4, .memory = GPU_MEMORY_UPLOAD};
    driver_allocates = device->vk.vkAllocateMemory;
    device->vk.vkAllocateMemory = refuse_once;
    OK(gpu_buffer_create(device, &def, &buffer));
    device->vk.vkAllocateMemory = driver_allocates;
    assert_int_equal(refused, 2);
    assert_int_equal(*(uint32_t *)gpu_buffer_map(buffer), 0);
    gpu_buffer_destroy(device, &buffer);
}

static void what_others_hold_is_not_counted_as_free(void **state)
{
    uint64_t bytes, left;
    tells = true;
    gpu_memory_available(&device->instance.calls, device->physical, &bytes, &left);
    assert_true(bytes == 1000 * MIB && left == 500 * MIB);
    tells = false;
    gpu_memory_available(&device->instance.calls, device->physical, &bytes, &left);
    assert_true(bytes == 1000 * MIB && left == 1000 * MIB);
}

static void a_buffer_that_finds_no_room_names_what_others_hold(void **state)
{
    const gpu_buffer_def def = {.name = "huge", .stride = 4, .count = UINT64_MAX / 8};
    gpu_buffer *buffer = NULL;
    tells = true;
    device->memory_used = 100 * MIB;
    assert_int_equal(gpu_buffer_create(device, &def, &buffer), WEIR_ERROR_MEMORY);
    assert_non_null(strstr(said, "1000.0 MiB, of which Weir uses 100.0 MiB, other programs 400.0"));
    assert_non_null(strstr(said, "close those programs"));
    tells = false;
    assert_int_equal(gpu_buffer_create(device, &def, &buffer), WEIR_ERROR_MEMORY);
    assert_null(strstr(said, "other programs"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(uploads_go_to_memory_of_the_device_and_read_backs_to_that_of_the_host),
        cmocka_unit_test(uploads_fall_back_on_memory_of_the_host),
        cmocka_unit_test(what_others_hold_is_not_counted_as_free),
        cmocka_unit_test(a_buffer_that_finds_no_room_names_what_others_hold),
    };
    return cmocka_run_group_tests(tests, open_told_device, close_device);
}
