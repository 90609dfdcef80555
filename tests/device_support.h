/* One device for all tests of a program, opened and closed by cmocka's group functions. */
#ifndef WEIR_TESTS_DEVICE_SUPPORT_H
#define WEIR_TESTS_DEVICE_SUPPORT_H

#include "gpu_support.h"

static gpu_device *device;

static inline int open_plain_device(void **state)
{
    (void)state;
    device = open_gpu(false);
    return 0;
}

static inline int open_validated_device(void **state)
{
    (void)state;
    device = open_gpu(true);
    return 0;
}

static inline int close_device(void **state)
{
    (void)state;
    return close_gpu(&device);
}

#endif
