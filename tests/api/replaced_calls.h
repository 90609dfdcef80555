/* Device calls of Vulkan in whose place a test stands, within a function of a host's get_proc. */
#ifndef WEIR_TESTS_REPLACED_CALLS_H
#define WEIR_TESTS_REPLACED_CALLS_H

#include "api/host_support.h"

static PFN_vkGetDeviceProcAddr get_device_call; /* the real one */

/* Where `asked` of `device` is the call `name`: notes the real one, and returns `ours`. */
#define REPLACED(name, real, ours)                         \
    if (strcmp(asked, #name) == 0) {                       \
        real = (PFN_##name)get_device_call(device, asked); \
        return (PFN_vkVoidFunction)(ours);                 \
    }

#endif
