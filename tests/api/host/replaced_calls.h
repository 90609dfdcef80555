/* Replaces device functions of Vulkan by a test's own, within a host's get_proc function. */
#ifndef WEIR_TESTS_REPLACED_CALLS_H
#define WEIR_TESTS_REPLACED_CALLS_H

#include "host_support.h"

static PFN_vkGetDeviceProcAddr get_device_call; /* the real function */

/* If `asked` of `device` is the function `name`, stores the real one and returns `ours`. */
#define REPLACED(name, real, ours)                         \
    if (strcmp(asked, #name) == 0) {                       \
        real = (PFN_##name)get_device_call(device, asked); \
        return (PFN_vkVoidFunction)(ours);                 \
    }

#endif
