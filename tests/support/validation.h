/* The device that tests use, and the validation that they request from Vulkan. */
#ifndef WEIR_TESTS_VALIDATION_H
#define WEIR_TESTS_VALIDATION_H

#include "weir/weir.h"

#include <stdlib.h>

/* GPU-assisted validation checks every memory access of a shader, and makes shaders so large that
 * lavapipe compiles them for minutes; tools/test requests it by this variable where it is
 * worthwhile. */
static inline bool checks_shaders(void)
{
    return getenv("WEIR_TEST_SHADERS") != NULL;
}

/* Wine has no layers, and few of the machines to which weir_kernel_tests is copied have any. */
static inline void ask_for_validation(weir_device_def *def)
{
#if defined(_WIN32) || defined(WEIR_TESTS_WITHOUT_LAYERS)
    (void)def;
#else
    def->validation = true;
    def->shader_validation = checks_shaders();
#endif
}

/* Selects the best device, or the one that WEIR_TEST_DEVICE names in the form of
 * weir_device_def.device. */
static inline weir_device_def test_device_def(void)
{
    weir_device_def def = weir_device_def_default();
    def.device = getenv("WEIR_TEST_DEVICE");
    return def;
}

#endif
