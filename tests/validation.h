/* The device that tests ask for, and what they ask of Vulkan's validation. */
#ifndef WEIR_TESTS_VALIDATION_H
#define WEIR_TESTS_VALIDATION_H

#include "weir/weir.h"

#include <stdlib.h>

/* GPU-assisted validation looks at every access of a shader, and makes shaders so large that
 * lavapipe compiles them for minutes: tools/test asks for it, by this variable, where it pays. */
static inline bool checks_shaders(void)
{
    return getenv("WEIR_TEST_SHADERS") != NULL;
}

/* Wine has no layers, and few of the machines to which weir_kernel_tests is carried have any. */
static inline void ask_for_validation(weir_device_def *def)
{
#if defined(_WIN32) || defined(WEIR_TESTS_WITHOUT_LAYERS)
    (void)def;
#else
    def->validation = true;
    def->shader_validation = checks_shaders();
#endif
}

/* The best device, or the one that WEIR_TEST_DEVICE names as weir_device_def.device does. */
static inline weir_device_def test_device_def(void)
{
    weir_device_def def = weir_device_def_default();
    def.device = getenv("WEIR_TEST_DEVICE");
    return def;
}

#endif
