/* A device with the pipelines of tests/shaders and a captured log, and passes that run them. */
#ifndef WEIR_TESTS_PASS_FIXTURE_H
#define WEIR_TESTS_PASS_FIXTURE_H

#include "gpu_internal.h"
#include "tests/shaders.h"
#include "validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)

enum { ADD, SHIFT, VISIT, VISIT_FIVE, TRACE, TEXELS, SHADERS };

typedef struct bench {
    gpu_device *device;
    gpu_pipeline *pipelines[SHADERS];
    char log[8192];
} bench;

extern bench checked_bench; /* with validation; shared by the tests that provoke no errors */

void assert_bench_logged(bench *b, const char *words);
void open_bench(bench *b, bool validation);

/* Returns the number of validation messages. */
uint32_t close_bench(bench *b);

int open_checked(void **state);
int close_checked(void **state);
gpu_buffer *create_buffer(bench *b, const char *name, uint64_t count);
void fill_ascending(bench *b, gpu_buffer *buffer);
uint32_t *download_words(bench *b, gpu_buffer *buffer);
gpu_dispatch_size elements(uint64_t count);
gpu_pass make_pass(const bench *b, int shader, uint64_t count, gpu_buffer *first,
                   gpu_buffer *second);
gpu_pass shift_pass(bench *b, gpu_buffer *from, gpu_buffer *to);
gpu_pass visit_pass(bench *b, gpu_buffer *visits);
gpu_pass trace_pass(bench *b, gpu_buffer *trace, uint32_t constant);
void assert_visited_once(bench *b, gpu_buffer *visits);

#define RING 3004u /* elements in the ring that shifts rotate: whole vectors */

/* Fails when validation has reported anything; it checks every submission. */
void assert_valid(bench *b);

/* Checks a buffer that fill_ascending has filled, after `times` shifts. */
void assert_shifted(bench *b, gpu_buffer *buffer, uint32_t times);

#endif
