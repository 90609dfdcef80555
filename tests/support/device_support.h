/* Devices for all tests of a file, opened and closed by cmocka's group functions. */
#ifndef WEIR_TESTS_DEVICE_SUPPORT_H
#define WEIR_TESTS_DEVICE_SUPPORT_H

#include "gpu_support.h"

extern gpu_device *device;

int open_plain_device(void **state);
int open_validated_device(void **state);
int close_device(void **state);

/* checked: with validation, for small work; quick: without, for large work. */
extern gpu_device *checked, *quick;

int open_devices(void **state);
int close_devices(void **state);

#endif
