/* What tests ask of Vulkan's validation. */
#ifndef WEIR_TESTS_VALIDATION_H
#define WEIR_TESTS_VALIDATION_H

#include "weir.h"

#include <stdlib.h>

/* GPU-assisted validation looks at every access of a shader, and makes shaders so large that
 * lavapipe compiles them for minutes: tools/test asks for it, by this variable, where it pays. */
static inline bool checks_shaders(void)
{
    return getenv("WEIR_TEST_SHADERS") != NULL;
}

static inline void ask_for_validation(weir_device_def *def)
{
    def->validation = true;
    def->shader_validation = checks_shaders();
}

#endif
