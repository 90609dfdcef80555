/* The one device of a physics test, with full validation: a complaint fails the whole program. */
#ifndef WEIR_TESTS_PHYSICS_SUPPORT_H
#define WEIR_TESTS_PHYSICS_SUPPORT_H

#include "sim_support.h"

static gpu_device *device;

static inline int open_device(void **state)
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
