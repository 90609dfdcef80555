/* Tests loops: groups of passes that one of the passes can end on the GPU. */
#include "gpu_internal.h"
#include "gpu_support.h"

#include "tests/shaders.h"

#include "shared/pass.h"

#define ENDS 3u    /* the repetition in which the loop ends */
#define REPEATS 9u /* repetitions recorded */
#define TURNS 4u   /* runs of the pass list in one recording */

enum { START, BEFORE, DECIDE, BEHIND, ROWS };

typedef struct looping {
    gpu_device *device;
    gpu_pipeline *visit, *end;
    gpu_buffer *before, *behind, *loop;
    gpu_timers *timers;
    gpu_pass passes[ROWS];
} looping;

static gpu_buffer *make_words(gpu_device *device, const char *name, uint64_t count)
{
    gpu_buffer *buffer = NULL;
    gpu_buffer_def def = {.name = name, .stride = 4, .count = count};
    OK(gpu_buffer_create(device, &def, &buffer));
    return buffer;
}

static gpu_pass looping_pass(const looping *l, const gpu_pipeline *pipeline, gpu_buffer *buffer)
{
    gpu_dispatch_size counted = {.name = "loop", .count = 128, .arguments = l->loop};
    gpu_dispatch_size one = {.name = "one", .count = 1};
    gpu_pass pass = gpu_pass_make(pipeline, pipeline == l->end ? one : counted);
    gpu_pass_bind(&pass, 0, buffer);
    return pass;
}

static void open_loop(looping *l)
{
    static const uint32_t each[] = {0, 1};
    *l = (looping){.device = open_gpu(true)};
    OK(gpu_pipeline_create(l->device,
                           &(gpu_pipeline_def){.shader = &tests_shaders[TEST_PASS_COUNT_VISITS],
                                               .constants = each,
                                               .constant_count = 2},
                           &l->visit));
    OK(gpu_pipeline_create(
        l->device, &(gpu_pipeline_def){.shader = &tests_shaders[TEST_PASS_END_LOOP]}, &l->end));
    l->before = make_words(l->device, "before", 128);
    l->behind = make_words(l->device, "behind", 128);
    l->loop = make_words(l->device, "loop", 4);
    l->passes[START] = looping_pass(l, l->end, l->loop);
    l->passes[BEFORE] = looping_pass(l, l->visit, l->before);
    l->passes[DECIDE] = looping_pass(l, l->end, l->loop);
    l->passes[BEHIND] = looping_pass(l, l->visit, l->behind);
    l->passes[START].constant = GPU_LOOP_RUNS;
    l->passes[DECIDE].constant = ENDS;
    l->passes[DECIDE].loop = l->loop;
    for (int r = BEFORE; r < ROWS; r++)
        l->passes[r].group = "turns";
    l->passes[BEFORE].repeat = REPEATS;
    OK(gpu_passes_check(l->device, l->passes, ROWS));
    OK(gpu_timers_create(l->device, ROWS, &l->timers));
}

static void close_loop(looping *l)
{
    gpu_timers_destroy(l->device, &l->timers);
    gpu_buffer_destroy(l->device, &l->before);
    gpu_buffer_destroy(l->device, &l->behind);
    gpu_buffer_destroy(l->device, &l->loop);
    gpu_pipeline_destroy(l->device, &l->visit);
    gpu_pipeline_destroy(l->device, &l->end);
    assert_int_equal(close_gpu(&l->device), 0);
}

static void record_turns(looping *l, gpu_timers *timers)
{
    uint64_t ticket;
    OK(gpu_record_begin(l->device));
    for (uint32_t t = 0; t < TURNS; t++)
        OK(gpu_record_passes(l->device, l->passes, ROWS, t, timers));
    OK(gpu_record_submit(l->device, &ticket));
    OK(gpu_ticket_wait(l->device, ticket));
}

static void assert_visits(const looping *l, gpu_buffer *buffer, uint32_t visits)
{
    uint32_t words[128];
    OK(gpu_buffer_download(l->device, buffer, 0, words, sizeof words));
    for (int i = 0; i < 128; i++)
        assert_int_equal(words[i], visits);
}

static void passes_behind_the_end_do_nothing(void **state)
{
    looping l;
    open_loop(&l);
    record_turns(&l, NULL);
    assert_visits(&l, l.before, TURNS * (ENDS + 1));
    assert_visits(&l, l.behind, TURNS * ENDS);
    close_loop(&l);
}

/* The same holds where each workgroup has its own submission. */
static void timers_count_only_passes_that_ran(void **state)
{
    static const double budgets_ms[] = {1e9, 1e-9};
    for (size_t i = 0; i < BASE_COUNT(budgets_ms); i++) {
        looping l;
        open_loop(&l);
        gpu_device_time_passes(l.device, true);
        gpu_device_limit_submission(l.device, budgets_ms[i]);
        record_turns(&l, l.timers); /* not yet measured: each pass list has its own submission */
        record_turns(&l, l.timers);
        assert_int_equal(gpu_timers_pass_time(l.timers, START).calls, 2 * TURNS);
        assert_int_equal(gpu_timers_pass_time(l.timers, BEFORE).calls, 2 * TURNS * (ENDS + 1));
        assert_int_equal(gpu_timers_pass_time(l.timers, DECIDE).calls, 2 * TURNS * (ENDS + 1));
        assert_int_equal(gpu_timers_pass_time(l.timers, BEHIND).calls, 2 * TURNS * ENDS);
        assert_int_equal(gpu_timers_pass_time(l.timers, ROWS).calls, 2 * TURNS);
        assert_visits(&l, l.before, 2 * TURNS * (ENDS + 1));
        assert_visits(&l, l.behind, 2 * TURNS * ENDS);
        close_loop(&l);
    }
}

static void a_loop_that_never_ends_runs_all_repetitions(void **state)
{
    looping l;
    open_loop(&l);
    l.passes[DECIDE].constant = REPEATS;
    record_turns(&l, l.timers);
    assert_visits(&l, l.behind, TURNS * REPEATS);
    assert_int_equal(gpu_timers_pass_time(l.timers, BEFORE).calls, TURNS * REPEATS);
    assert_int_equal(gpu_timers_pass_time(l.timers, BEHIND).calls, TURNS * REPEATS);
    close_loop(&l);
}

static char explained[4096];

static void add_line(void *user, const char *line)
{
    (void)user;
    size_t used = strlen(explained);
    snprintf(explained + used, sizeof explained - used, "%s\n", line);
}

static void a_loop_is_explained_by_the_pass_that_ends_it(void **state)
{
    looping l;
    open_loop(&l);
    explained[0] = '\0';
    gpu_explainer e = {.write = add_line};
    gpu_explain_passes(&e, "a list", l.passes, ROWS);
    OK(gpu_explain_end(&e, gpu_device_log(l.device)));
    assert_non_null(
        strstr(explained, "repeat at most 9 times, until pass_end_loop ends it: turns\n"));
    close_loop(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(passes_behind_the_end_do_nothing),
        cmocka_unit_test(timers_count_only_passes_that_ran),
        cmocka_unit_test(a_loop_that_never_ends_runs_all_repetitions),
        cmocka_unit_test(a_loop_is_explained_by_the_pass_that_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
