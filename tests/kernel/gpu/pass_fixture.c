#include "pass_fixture.h"

bench checked_bench; /* with validation; shared by the tests that provoke no errors */

static void capture_log(void *user, weir_log_level level, const char *text)
{
    (void)level;
    bench *b = user;
    size_t used = strlen(b->log);
    snprintf(b->log + used, sizeof b->log - used, "%s\n", text);
}

void assert_bench_logged(bench *b, const char *words)
{
    if (!strstr(b->log, words)) fail_msg("\"%s\" is not in the log:\n%s", words, b->log);
}

static void make_pipeline(bench *b, int which, gpu_pipeline_def def)
{
    OK(gpu_pipeline_create(b->device, &def, &b->pipelines[which]));
}

static gpu_pipeline_def make_constants(int shader, const uint32_t each[2])
{
    return (gpu_pipeline_def){
        .shader = &tests_shaders[shader], .constants = each, .constant_count = 2};
}

void open_bench(bench *b, bool validation)
{
    static const uint32_t one[] = {0, 1}, five[] = {0, 5};
    weir_device_def def = weir_device_def_default();
    memset(b, 0, sizeof *b);
    def.log = (weir_log){.write = capture_log, .user = b, .level = WEIR_LOG_WARNING};
    def.cache_folder = "";
    if (validation) ask_for_validation(&def);
    OK(gpu_device_create(&def, &b->device));
    make_pipeline(b, ADD, (gpu_pipeline_def){.shader = &tests_shaders[TEST_PASS_ADD]});
    make_pipeline(b, SHIFT, (gpu_pipeline_def){.shader = &tests_shaders[TEST_PASS_SHIFT]});
    make_pipeline(b, VISIT, make_constants(TEST_PASS_COUNT_VISITS, one));
    make_pipeline(b, VISIT_FIVE, make_constants(TEST_PASS_COUNT_VISITS, five));
    make_pipeline(b, TRACE, (gpu_pipeline_def){.shader = &tests_shaders[TEST_PASS_TRACE]});
    make_pipeline(b, TEXELS, (gpu_pipeline_def){.shader = &tests_shaders[TEST_PASS_READ_TEXELS]});
}

uint32_t close_bench(bench *b)
{
    for (int i = 0; i < SHADERS; i++)
        gpu_pipeline_destroy(b->device, &b->pipelines[i]);
    uint32_t complaints = gpu_device_validation_count(b->device);
    gpu_device_destroy(&b->device);
    return complaints;
}

int open_checked(void **state)
{
    open_bench(&checked_bench, true);
    return 0;
}

int close_checked(void **state)
{
    if (gpu_device_validation_count(checked_bench.device)) print_error("%s", checked_bench.log);
    return close_bench(&checked_bench) == 0 ? 0 : -1;
}

gpu_buffer *create_buffer(bench *b, const char *name, uint64_t count)
{
    gpu_buffer *buffer = NULL;
    OK(gpu_buffer_create(b->device, &(gpu_buffer_def){.name = name, .stride = 4, .count = count},
                         &buffer));
    return buffer;
}

void fill_ascending(bench *b, gpu_buffer *buffer)
{
    uint32_t n = (uint32_t)gpu_buffer_count(buffer);
    uint32_t *words = malloc(4ull * n);
    assert_non_null(words);
    for (uint32_t i = 0; i < n; i++)
        words[i] = 7u * i;
    OK(gpu_buffer_upload(b->device, buffer, 0, words, 4ull * n));
    free(words);
}

uint32_t *download_words(bench *b, gpu_buffer *buffer)
{
    uint32_t *words = malloc(gpu_buffer_size(buffer));
    assert_non_null(words);
    OK(gpu_buffer_download(b->device, buffer, 0, words, gpu_buffer_size(buffer)));
    return words;
}

gpu_dispatch_size elements(uint64_t count)
{
    return (gpu_dispatch_size){.name = "elements", .count = count};
}

gpu_pass make_pass(const bench *b, int shader, uint64_t count, gpu_buffer *first,
                   gpu_buffer *second)
{
    gpu_pass pass = gpu_pass_make(b->pipelines[shader], elements(count));
    gpu_pass_bind_all(&pass, (gpu_buffer *const[]){first, second}, 2);
    return pass;
}

gpu_pass shift_pass(bench *b, gpu_buffer *from, gpu_buffer *to)
{
    return make_pass(b, SHIFT, gpu_buffer_count(to), from, to);
}

gpu_pass visit_pass(bench *b, gpu_buffer *visits)
{
    return make_pass(b, VISIT, gpu_buffer_count(visits), visits, NULL);
}

gpu_pass trace_pass(bench *b, gpu_buffer *trace, uint32_t constant)
{
    gpu_pass pass = make_pass(b, TRACE, 1, trace, NULL);
    pass.constant = constant;
    return pass;
}

void assert_visited_once(bench *b, gpu_buffer *visits)
{
    uint32_t *words = download_words(b, visits);
    for (uint64_t i = 0; i < gpu_buffer_count(visits); i++)
        if (words[i] != 1) fail_msg("element %llu: %u", (unsigned long long)i, words[i]);
    free(words);
}

void assert_valid(bench *b)
{
    if (gpu_device_validation_count(b->device)) fail_msg("%s", b->log);
}

void assert_shifted(bench *b, gpu_buffer *buffer, uint32_t times)
{
    uint32_t *words = download_words(b, buffer);
    for (uint32_t i = 0; i < RING; i++)
        assert_int_equal(words[i], 7u * ((i + times) % RING) + times);
    free(words);
}
