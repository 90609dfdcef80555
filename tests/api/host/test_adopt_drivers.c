/* Drivers that report more than the real one: more queue families, one more extension. */
#define _XOPEN_SOURCE 700
#include "adopt_support.h"

/* ---- queue families ------------------------------------------------------------------------- */

/* A driver with two more families than the real one; the first copies, the second computes.
   Buffers and commands for them are inspected, and created for the real families only. */
#define MORE_FAMILIES 2u
static uint32_t real_families, shared_buffers, exclusive_buffers;
static VkBufferCreateInfo asked_for;
static uint32_t asked_families[4];
static PFN_vkGetPhysicalDeviceQueueFamilyProperties real_get_families;
static PFN_vkGetDeviceProcAddr real_get_device_call;
static PFN_vkCreateBuffer real_create_buffer;
static PFN_vkCreateCommandPool real_create_pool;

static void VKAPI_PTR get_more_families(VkPhysicalDevice physical, uint32_t *count,
                                        VkQueueFamilyProperties *out)
{
    uint32_t room = out ? *count : 0;
    real_get_families(physical, &real_families, NULL);
    *count = real_families + MORE_FAMILIES;
    if (!out) return;
    assert_true(room >= *count);
    real_get_families(physical, &real_families, out);
    for (uint32_t i = 0; i < MORE_FAMILIES; i++)
        out[real_families + i] = (VkQueueFamilyProperties){
            .queueFlags = VK_QUEUE_TRANSFER_BIT | (i == 1 ? VK_QUEUE_COMPUTE_BIT : 0),
            .queueCount = 1};
}

static VkResult VKAPI_PTR look_at_buffer(VkDevice device, const VkBufferCreateInfo *info,
                                         const VkAllocationCallbacks *allocator, VkBuffer *out)
{
    VkBufferCreateInfo real = *info;
    if (info->sharingMode == VK_SHARING_MODE_CONCURRENT) {
        shared_buffers++;
        asked_for = *info;
        memcpy(asked_families, info->pQueueFamilyIndices,
               info->queueFamilyIndexCount * sizeof *asked_families);
    } else {
        exclusive_buffers++;
    }
    real.sharingMode = VK_SHARING_MODE_EXCLUSIVE;
    real.queueFamilyIndexCount = 0;
    return real_create_buffer(device, &real, allocator, out);
}

static VkResult VKAPI_PTR create_real_pool(VkDevice device, const VkCommandPoolCreateInfo *info,
                                           const VkAllocationCallbacks *allocator,
                                           VkCommandPool *out)
{
    VkCommandPoolCreateInfo real = *info;
    if (real.queueFamilyIndex >= real_families) real.queueFamilyIndex = 0;
    return real_create_pool(device, &real, allocator, out);
}

static PFN_vkVoidFunction VKAPI_PTR get_device_call(VkDevice device, const char *name)
{
    PFN_vkVoidFunction found = real_get_device_call(device, name);
    if (strcmp(name, "vkCreateCommandPool") == 0) {
        real_create_pool = (PFN_vkCreateCommandPool)found;
        return (PFN_vkVoidFunction)create_real_pool;
    }
    if (strcmp(name, "vkCreateBuffer") != 0) return found;
    real_create_buffer = (PFN_vkCreateBuffer)found;
    return (PFN_vkVoidFunction)look_at_buffer;
}

static PFN_vkVoidFunction VKAPI_PTR get_call(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction found = vkGetInstanceProcAddr(instance, name);
    if (strcmp(name, "vkGetDeviceProcAddr") == 0) {
        real_get_device_call = (PFN_vkGetDeviceProcAddr)found;
        return (PFN_vkVoidFunction)get_device_call;
    }
    if (strcmp(name, "vkGetPhysicalDeviceQueueFamilyProperties") != 0) return found;
    real_get_families = (PFN_vkGetPhysicalDeviceQueueFamilyProperties)found;
    return (PFN_vkVoidFunction)get_more_families;
}

/* No buffer needs an ownership transfer, and all of a run's buffers are shared between families. */
static void buffers_are_shared_with_the_families_that_read(void **state)
{
    host *h = *state;
    uint32_t readers[MORE_FAMILIES];
    uint64_t shared[FRAMES], plain[FRAMES];
    weir_vulkan_host vulkan = hand_over(h);
    vulkan.get_proc = get_call;
    shared_buffers = exclusive_buffers = 0;
    weir_device *device = adopt(h, vulkan, "");
    run(device, h, plain);
    weir_device_destroy(&device);
    assert_int_equal(shared_buffers, 0);
    assert_true(exclusive_buffers > 0);
    for (uint32_t i = 0; i < MORE_FAMILIES; i++)
        readers[i] = real_families + i;
    vulkan.reader_families = readers;
    vulkan.reader_family_count = MORE_FAMILIES;
    uint32_t before = exclusive_buffers;
    device = adopt(h, vulkan, "");
    run(device, h, shared);
    weir_device_destroy(&device);
    assert_int_equal(shared_buffers, before);
    assert_int_equal(exclusive_buffers, before);
    assert_int_equal(asked_for.queueFamilyIndexCount, 1 + MORE_FAMILIES);
    assert_int_equal(asked_families[0], h->family);
    assert_memory_equal(asked_families + 1, readers, sizeof readers);
    assert_memory_equal(shared, plain, sizeof plain);
}

static void a_family_that_does_not_compute_is_refused(void **state)
{
    weir_vulkan_host vulkan = hand_over(*state);
    char words[400];
    VkPhysicalDeviceProperties properties;
    vulkan.get_proc = get_call;
    vkGetPhysicalDeviceQueueFamilyProperties(vulkan.physical, &real_families, NULL);
    vkGetPhysicalDeviceProperties(vulkan.physical, &properties);
    vulkan.queue_family = real_families;
    snprintf(words, sizeof words,
             "queue family %u of %s does not exist or does not support compute: adopt",
             real_families, properties.deviceName);
    assert_refused(&vulkan, words);
}

/* Such a device still simulates. */
static void a_family_without_graphics_gets_no_renderer(void **state)
{
    weir_vulkan_host vulkan = hand_over(*state);
    weir_renderer *renderer = NULL;
    weir_renderer_def def = weir_renderer_def_default();
    vulkan.get_proc = get_call;
    vkGetPhysicalDeviceQueueFamilyProperties(vulkan.physical, &real_families, NULL);
    vulkan.queue_family = real_families + 1;
    weir_device *device = adopt(*state, vulkan, "");
    weir_scene *scene = parse(SCENE);
    def.scene = scene;
    assert_int_equal(weir_renderer_create(device, &def, &renderer), WEIR_ERROR_UNSUPPORTED);
    assert_null(renderer);
    assert_logged(
        "cannot draw: choose a device with graphics (weir info lists them), or adopt a queue");
    weir_scene_destroy(&scene);
    weir_device_destroy(&device);
}

/* ---- extensions ----------------------------------------------------------------------------- */

#define SUBSET "VK_KHR_portability_subset"
static PFN_vkEnumerateDeviceExtensionProperties real_list_extensions;

/* A portability driver, whose extension devices must enable. */
static VkResult VKAPI_PTR list_one_more(VkPhysicalDevice physical, const char *layer,
                                        uint32_t *count, VkExtensionProperties *out)
{
    const uint32_t room = out ? *count : 0;
    uint32_t real = 0;
    real_list_extensions(physical, layer, &real, NULL);
    *count = real + 1;
    if (!out) return VK_SUCCESS;
    assert_true(room > real);
    out[real] = (VkExtensionProperties){.extensionName = SUBSET, .specVersion = 1};
    return real_list_extensions(physical, layer, &real, out);
}

static PFN_vkVoidFunction VKAPI_PTR get_portable_call(VkInstance instance, const char *name)
{
    PFN_vkVoidFunction found = vkGetInstanceProcAddr(instance, name);
    if (strcmp(name, "vkEnumerateDeviceExtensionProperties") != 0) return found;
    real_list_extensions = (PFN_vkEnumerateDeviceExtensionProperties)found;
    return (PFN_vkVoidFunction)list_one_more;
}

static void a_device_without_a_needed_extension_is_refused(void **state)
{
    weir_vulkan_host vulkan = hand_over(*state);
    vulkan.get_proc = get_portable_call;
    assert_refused(&vulkan, "the host's device was created without " SUBSET
                            ": enable the extensions that weir_vulkan_get_requirements lists, and "
                            "list them in weir_vulkan_host.extensions");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(buffers_are_shared_with_the_families_that_read),
        cmocka_unit_test(a_family_that_does_not_compute_is_refused),
        cmocka_unit_test(a_family_without_graphics_gets_no_renderer),
        cmocka_unit_test(a_device_without_a_needed_extension_is_refused),
    };
    return cmocka_run_group_tests(tests, open_host, close_host);
}
