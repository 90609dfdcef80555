/* Compares the measured device peaks of the roofline with copies that are written and timed
   differently: another shader timed by the wall clock and, on CPU drivers, whose shaders do not
   reach the memory bandwidth, copies by the processor's threads. */
#include "sim_support.h"

#include "tests/shaders.h"

#include <sys/resource.h>

#define COPIES 8u
#define TRIES 40
#define QUIET_TRIES 6 /* after which the two figures are compared */

typedef struct copier {
    gpu_device *device;
    gpu_pipeline *pipeline;
    gpu_buffer *from, *to;
} copier;

static void open_copier(copier *c)
{
    c->device = open_gpu(false);
    uint64_t bytes = 256ull << 20, range = gpu_device_storage_range(c->device);
    gpu_buffer_def def = {
        .name = "copied", .stride = 16, .count = (bytes < range ? bytes : range) / 16 / 256 * 256};
    const gpu_pipeline_def pipeline = {.shader = &tests_shaders[TEST_COPY_ELEMENTS]};
    OK(gpu_buffer_create(c->device, &def, &c->from));
    OK(gpu_buffer_create(c->device, &def, &c->to));
    OK(gpu_pipeline_create(c->device, &pipeline, &c->pipeline));
}

static void close_copier(copier *c)
{
    gpu_buffer_destroy(c->device, &c->from);
    gpu_buffer_destroy(c->device, &c->to);
    gpu_pipeline_destroy(c->device, &c->pipeline);
    assert_int_equal(close_gpu(&c->device), 0);
}

/* One thread's part of a block of memory. */
typedef struct share {
    char *from, *to;
    size_t size;
} share;

static void copy_share(void *user)
{
    share *s = user;
    for (uint32_t i = 0; i < COPIES; i++)
        memmove(s->to, s->from, s->size);
}

static double processor_s(void)
{
    struct rusage used;
    assert_int_equal(getrusage(RUSAGE_SELF, &used), 0);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* Returns the GB/s of copies by the processor, with every thread in a block of its own; 0 if
   other programs used a tenth of the processor meanwhile. */
static double host_rate(void)
{
    base_thread *threads[64];
    share shares[64];
    uint32_t count = base_cpu_count() < 64 ? base_cpu_count() : 64;
    size_t size = ((size_t)256 << 20) / count;
    for (uint32_t t = 0; t < count; t++) {
        shares[t] = (share){malloc(size), malloc(size), size};
        assert_true(shares[t].from && shares[t].to);
        memset(shares[t].from, 1, size);
        memset(shares[t].to, 2, size);
    }
    double start_s = base_time_s(), start_processor_s = processor_s();
    for (uint32_t t = 0; t < count; t++)
        assert_non_null(threads[t] = base_thread_start(copy_share, &shares[t]));
    for (uint32_t t = 0; t < count; t++)
        base_thread_join(&threads[t]);
    double seconds = base_time_s() - start_s;
    bool quiet = processor_s() - start_processor_s > 0.9 * seconds * count;
    for (uint32_t t = 0; t < count; t++) {
        free(shares[t].from);
        free(shares[t].to);
    }
    return quiet ? 2e-9 * COPIES * (double)(size * count) / seconds : 0.0;
}

/* Returns the GB/s of several copies in one submission. */
static double copy_rate(copier *c)
{
    gpu_pass passes[COPIES];
    for (uint32_t i = 0; i < COPIES; i++) {
        gpu_dispatch_size all = {.name = "elements", .count = gpu_buffer_count(c->to)};
        passes[i] = gpu_pass_make(c->pipeline, all);
        gpu_pass_bind_all(&passes[i], (gpu_buffer *const[]){c->from, c->to}, 2);
    }
    double start_s = base_time_s();
    OK(gpu_run_passes(c->device, passes, COPIES));
    return 2e-9 * COPIES * (double)gpu_buffer_size(c->to) / (base_time_s() - start_s);
}

/* The measurements alternate, so that both see the same load of a shared machine; the best of
   each counts. On a busy processor neither figure means anything, and the test is skipped. */
static void the_copy_ceiling_is_what_another_copy_reaches(void **state)
{
    copier c = {0};
    double ceiling = 0.0, other = 0.0;
    int quiet = 0;
    open_copier(&c);
    bool cpu = gpu_device_info(c.device)->kind == WEIR_DEVICE_CPU;
    for (int i = 0; i < TRIES && quiet < QUIET_TRIES; i++) {
        double host = cpu ? host_rate() : 0.0;
        if (cpu && host == 0.0) continue;
        weir_device_peaks ceilings;
        OK(gpu_device_peaks_measure(c.device, &ceilings));
        ceiling = fmax(ceiling, ceilings.copy_gb_s);
        other = fmax(other, fmax(host, copy_rate(&c)));
        quiet++;
    }
    close_copier(&c);
    print_message("copy ceiling %.1f GB/s, another copy %.1f GB/s, %d quiet tries\n", ceiling,
                  other, quiet);
    if (quiet < QUIET_TRIES) {
        print_message("skipped: other programs keep the processor busy\n");
        skip();
    }
    assert_true(fabs(ceiling / other - 1.0) < 0.1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_copy_ceiling_is_what_another_copy_reaches),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
