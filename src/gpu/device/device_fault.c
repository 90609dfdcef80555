/* What the driver knows about the loss of a device (VK_EXT_device_fault). */
#include "gpu_internal.h"

#define LISTED 8u

static const char *const address_kinds[] = {
    [VK_DEVICE_FAULT_ADDRESS_TYPE_NONE_EXT] = "no address",
    [VK_DEVICE_FAULT_ADDRESS_TYPE_READ_INVALID_EXT] = "invalid read",
    [VK_DEVICE_FAULT_ADDRESS_TYPE_WRITE_INVALID_EXT] = "invalid write",
    [VK_DEVICE_FAULT_ADDRESS_TYPE_EXECUTE_INVALID_EXT] = "invalid execution",
    [VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_UNKNOWN_EXT] = "instruction",
    [VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_INVALID_EXT] = "invalid instruction",
    [VK_DEVICE_FAULT_ADDRESS_TYPE_INSTRUCTION_POINTER_FAULT_EXT] = "faulting instruction",
};

bool gpu_device_fault_choose(const gpu_device *device, VkPhysicalDeviceFaultFeaturesEXT *feature)
{
    const gpu_instance_calls *calls = &device->instance.calls;
    VkPhysicalDeviceFaultFeaturesEXT offered = {
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT};
    VkPhysicalDeviceFeatures2 features = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
                                          .pNext = &offered};
    if (!calls->get_features ||
        !gpu_has_extension(calls, device->physical, VK_EXT_DEVICE_FAULT_EXTENSION_NAME))
        return false;
    calls->get_features(device->physical, &features);
    *feature = (VkPhysicalDeviceFaultFeaturesEXT){
        .sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FAULT_FEATURES_EXT,
        .deviceFault = offered.deviceFault};
    return offered.deviceFault;
}

static void log_addresses(const gpu_device *device, const VkDeviceFaultAddressInfoEXT *list,
                          uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        uint32_t type = (uint32_t)list[i].addressType;
        base_log(&device->log, WEIR_LOG_ERROR, "  %s at address 0x%llx, to %llu bytes",
                 type < BASE_COUNT(address_kinds) ? address_kinds[type] : "address",
                 (unsigned long long)list[i].reportedAddress,
                 (unsigned long long)list[i].addressPrecision);
    }
}

void gpu_device_fault_log(const gpu_device *device)
{
    VkDeviceFaultAddressInfoEXT addresses[LISTED];
    VkDeviceFaultVendorInfoEXT vendor[LISTED];
    VkDeviceFaultCountsEXT counts = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_COUNTS_EXT};
    VkDeviceFaultInfoEXT info = {.sType = VK_STRUCTURE_TYPE_DEVICE_FAULT_INFO_EXT,
                                 .pAddressInfos = addresses,
                                 .pVendorInfos = vendor};
    PFN_vkGetDeviceFaultInfoEXT get = device->vk.vkGetDeviceFaultInfoEXT;
    if (!device->reports_faults || !get || get(device->handle, &counts, NULL) < 0) return;
    if (counts.addressInfoCount > LISTED) counts.addressInfoCount = LISTED;
    if (counts.vendorInfoCount > LISTED) counts.vendorInfoCount = LISTED;
    counts.vendorBinarySize = 0;
    if (get(device->handle, &counts, &info) < 0) return;
    if (info.description[0])
        base_log(&device->log, WEIR_LOG_ERROR, "the driver says: %s", info.description);
    log_addresses(device, addresses, counts.addressInfoCount);
    for (uint32_t i = 0; i < counts.vendorInfoCount; i++)
        base_log(&device->log, WEIR_LOG_ERROR, "  %s (code 0x%llx, data 0x%llx)",
                 vendor[i].description, (unsigned long long)vendor[i].vendorFaultCode,
                 (unsigned long long)vendor[i].vendorFaultData);
}
