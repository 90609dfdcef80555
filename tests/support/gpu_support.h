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

void print_problem(void *user, weir_log_level level, const char *text);

/* Opens a device; fails without a driver, because a test that cannot run has not passed.
 *
 * Under GPU-assisted validation a driver spends nearly all the time of a test on compiling the
 * instrumented shaders, and this validation checks only what runs: pipelines are created when a
 * pass first needs them. Without it all pipelines are created at once, so that validation sees each
 * of them. */
gpu_device *open_gpu(bool validation);

/* Destroys the device; fails when validation has reported anything, leaked objects included. */
int close_gpu(gpu_device **device);

#endif
