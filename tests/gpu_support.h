/* The device of a test, with a count of the validation messages up to its destruction. */
#ifndef WEIR_TESTS_GPU_SUPPORT_H
#define WEIR_TESTS_GPU_SUPPORT_H

#include "gpu_internal.h"
#include "validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)

static uint32_t validation_said; /* number of messages, including those during device destruction */

static inline void print_problem(void *user, weir_log_level level, const char *text)
{
    (void)user;
    (void)level;
    if (strstr(text, "Vulkan validation")) validation_said++;
    print_error("  %s\n", text);
}

/* Opens a device; fails without a driver, because a test that cannot run has not passed.
 *
 * Under GPU-assisted validation a driver spends nearly all the time of a test on compiling the
 * instrumented shaders, and this validation checks only what runs: pipelines are created when a
 * pass first needs them. Without it all pipelines are created at once, so that validation sees each
 * of them. */
static inline gpu_device *open_gpu(bool validation)
{
    gpu_device *device = NULL;
    weir_device_def def = test_device_def();
    def.log = (weir_log){.write = print_problem, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    if (validation) ask_for_validation(&def);
    OK(gpu_device_create(&def, &device));
    if (checks_shaders()) device->deferred = true;
    return device;
}

/* Destroys the device; fails when validation has reported anything, leaked objects included. */
static inline int close_gpu(gpu_device **device)
{
    gpu_device_destroy(device);
    int result = validation_said == 0 ? 0 : -1;
    validation_said = 0;
    return result;
}

#endif
