/* Tests the report on a lost device. The driver's answers are forged, because no driver here fails.
 */
#include "device_support.h"
#include "gpu_internal.h"

static char said[4096];

static void keep_log(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    size_t length = strlen(said);
    snprintf(said + length, sizeof said - length, "%s\n", text);
}

static VkResult VKAPI_PTR get_fault(VkDevice handle, VkDeviceFaultCountsEXT *counts,
                                    VkDeviceFaultInfoEXT *info)
{
    (void)handle;
    if (!info) {
        counts->addressInfoCount = 20; /* more than are listed */
        counts->vendorInfoCount = 1;
        counts->vendorBinarySize = 1000;
        return VK_SUCCESS;
    }
    assert_true(counts->addressInfoCount == 8 && counts->vendorBinarySize == 0);
    snprintf(info->description, sizeof info->description, "page fault in compute");
    for (uint32_t i = 0; i < counts->addressInfoCount; i++)
        info->pAddressInfos[i] = (VkDeviceFaultAddressInfoEXT){
            VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT, 0x1000u + i, 4096};
    info->pVendorInfos[0] = (VkDeviceFaultVendorInfoEXT){"shader engine 2", 0x1f, 7};
    return VK_INCOMPLETE;
}

/* Loses the device once and returns to it. */
static void lose(bool reports)
{
    said[0] = '\0';
    device->reports_faults = reports;
    device->vk.vkGetDeviceFaultInfoEXT = get_fault;
    assert_int_equal(gpu_vk_result(device, VK_ERROR_DEVICE_LOST, "vkQueueSubmit2"),
                     WEIR_ERROR_DEVICE_LOST);
    assert_int_equal(gpu_vk_result(device, VK_ERROR_DEVICE_LOST, "vkWaitForFences"),
                     WEIR_ERROR_DEVICE_LOST);
    device->lost = VK_SUCCESS;
}

static void a_lost_device_is_reported_once_with_what_the_driver_knows(void **state)
{
    const weir_log before = device->log;
    device->log = (weir_log){.write = keep_log, .level = WEIR_LOG_WARNING};
    lose(true);
    assert_non_null(strstr(said, "was lost in vkQueueSubmit2"));
    assert_non_null(strstr(said, "the driver says: page fault in compute\n"
                                 "  invalid write at address 0x1000, to 4096 bytes\n"));
    assert_non_null(strstr(said, "  shader engine 2 (code 0x1f, data 0x7)\n"));
    assert_null(strstr(said, "vkWaitForFences"));
    lose(false);
    assert_non_null(strstr(said, "was lost in vkQueueSubmit2"));
    assert_null(strstr(said, "the driver says"));
    device->log = before;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_lost_device_is_reported_once_with_what_the_driver_knows),
    };
    return cmocka_run_group_tests(tests, open_plain_device, close_device);
}
