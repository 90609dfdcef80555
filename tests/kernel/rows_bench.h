/* A device with kernels of tests/shaders, whose log is kept, and rows of them. */
#ifndef WEIR_TESTS_ROWS_BENCH_H
#define WEIR_TESTS_ROWS_BENCH_H

#include "gpu_internal.h"
#include "tests/shaders.h"
#include "validation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)

enum { ADD, SHIFT, VISIT, VISIT_FIVE, TRACE, TEXELS, KERNELS };

typedef struct bench {
    gpu_device *device;
    gpu_kernel *kernels[KERNELS];
    char log[8192];
} bench;

static bench checked; /* with validation: shared by the tests that break nothing */

static inline void keep(void *user, weir_log_level level, const char *text)
{
    (void)level;
    bench *b = user;
    size_t used = strlen(b->log);
    snprintf(b->log + used, sizeof b->log - used, "%s\n", text);
}

static inline void assert_said(bench *b, const char *words)
{
    if (!strstr(b->log, words)) fail_msg("\"%s\" is not in the log:\n%s", words, b->log);
}

static inline void make_kernel(bench *b, int which, gpu_kernel_def def)
{
    OK(gpu_kernel_create(b->device, &def, &b->kernels[which]));
}

static inline gpu_kernel_def constants(int shader, const uint32_t each[2])
{
    return (gpu_kernel_def){
        .shader = &tests_shaders[shader], .constants = each, .constant_count = 2};
}

static inline void open_bench(bench *b, bool validation)
{
    static const uint32_t one[] = {0, 1}, five[] = {0, 5};
    weir_device_def def = weir_device_def_default();
    memset(b, 0, sizeof *b);
    def.log = (weir_log){.write = keep, .user = b, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    if (validation) ask_for_validation(&def);
    OK(gpu_device_create(&def, &b->device));
    make_kernel(b, ADD, (gpu_kernel_def){.shader = &tests_shaders[TEST_ROWS_ADD]});
    make_kernel(b, SHIFT, (gpu_kernel_def){.shader = &tests_shaders[TEST_ROWS_SHIFT]});
    make_kernel(b, VISIT, constants(TEST_ROWS_VISIT, one));
    make_kernel(b, VISIT_FIVE, constants(TEST_ROWS_VISIT, five));
    make_kernel(b, TRACE, (gpu_kernel_def){.shader = &tests_shaders[TEST_ROWS_TRACE]});
    make_kernel(b, TEXELS, (gpu_kernel_def){.shader = &tests_shaders[TEST_ROWS_TEXELS]});
}

/* Returns how many validation messages there were. */
static inline uint32_t close_bench(bench *b)
{
    for (int i = 0; i < KERNELS; i++)
        gpu_kernel_destroy(b->device, &b->kernels[i]);
    uint32_t complaints = gpu_device_validation_count(b->device);
    gpu_device_destroy(&b->device);
    return complaints;
}

static inline int open_checked(void **state)
{
    (void)state;
    open_bench(&checked, true);
    return 0;
}

static inline int close_checked(void **state)
{
    (void)state;
    if (gpu_device_validation_count(checked.device)) print_error("%s", checked.log);
    return close_bench(&checked) == 0 ? 0 : -1;
}

static inline gpu_buffer *make(bench *b, const char *name, uint64_t count)
{
    gpu_buffer *buffer = NULL;
    OK(gpu_buffer_create(b->device, &(gpu_buffer_def){.name = name, .stride = 4, .count = count},
                         &buffer));
    return buffer;
}

static inline void fill_up(bench *b, gpu_buffer *buffer)
{
    uint32_t n = (uint32_t)gpu_buffer_count(buffer);
    uint32_t *words = malloc(4ull * n);
    assert_non_null(words);
    for (uint32_t i = 0; i < n; i++)
        words[i] = 7u * i;
    OK(gpu_buffer_upload(b->device, buffer, 0, words, 4ull * n));
    free(words);
}

static inline uint32_t *words_of(bench *b, gpu_buffer *buffer)
{
    uint32_t *words = malloc(gpu_buffer_size(buffer));
    assert_non_null(words);
    OK(gpu_buffer_download(b->device, buffer, 0, words, gpu_buffer_size(buffer)));
    return words;
}

static inline gpu_domain elements(uint64_t count)
{
    return (gpu_domain){.name = "elements", .count = count};
}

static inline gpu_row make_row(const bench *b, int kernel, uint64_t count, gpu_buffer *first,
                               gpu_buffer *second)
{
    gpu_row row = gpu_row_make(b->kernels[kernel], elements(count));
    gpu_row_bind_all(&row, (gpu_buffer *const[]){first, second}, 2);
    return row;
}

static inline gpu_row shift_row(bench *b, gpu_buffer *from, gpu_buffer *to)
{
    return make_row(b, SHIFT, gpu_buffer_count(to), from, to);
}

static inline gpu_row visit_row(bench *b, gpu_buffer *visits)
{
    return make_row(b, VISIT, gpu_buffer_count(visits), visits, NULL);
}

static inline gpu_row trace_row(bench *b, gpu_buffer *trace, uint32_t constant)
{
    gpu_row row = make_row(b, TRACE, 1, trace, NULL);
    row.constant = constant;
    return row;
}

static inline void assert_visited_once(bench *b, gpu_buffer *visits)
{
    uint32_t *words = words_of(b, visits);
    for (uint64_t i = 0; i < gpu_buffer_count(visits); i++)
        if (words[i] != 1) fail_msg("element %llu: %u", (unsigned long long)i, words[i]);
    free(words);
}

#define RING 3001u /* elements that shifts go round in */

/* Validation looks at every submission: nothing was said so far. */
static inline void assert_valid(bench *b)
{
    if (gpu_device_validation_count(b->device)) fail_msg("%s", b->log);
}

/* A buffer that was filled up, after so many shifts. */
static inline void assert_shifted(bench *b, gpu_buffer *buffer, uint32_t times)
{
    uint32_t *words = words_of(b, buffer);
    for (uint32_t i = 0; i < RING; i++)
        assert_int_equal(words[i], 7u * ((i + times) % RING) + times);
    free(words);
}

#endif
