#include "device_support.h"

gpu_device *device;

int open_plain_device(void **state)
{
    device = open_gpu(false);
    return 0;
}

int open_validated_device(void **state)
{
    device = open_gpu(true);
    return 0;
}

int close_device(void **state)
{
    return close_gpu(&device);
}

gpu_device *checked, *quick;

int open_devices(void **state)
{
    checked = open_gpu(true);
    quick = open_gpu(false);
    return 0;
}

int close_devices(void **state)
{
    gpu_device_destroy(&quick);
    return close_gpu(&checked);
}
