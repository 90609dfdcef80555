/* Loops: groups of rows that one of them ends on the GPU. */
#include "gpu_internal.h"
#include "gpu_support.h"

#include "tests/shaders.h"

#include "shared/row.h"

#define ENDS 3u    /* the repetition in which the loop ends */
#define REPEATS 9u /* recorded */
#define TURNS 4u   /* runs of the table in one recording */

enum { START, BEFORE, DECIDE, BEHIND, ROWS };

typedef struct looping {
    gpu_device *device;
    gpu_kernel *visit, *end;
    gpu_buffer *before, *behind, *loop;
    gpu_timers *timers;
    gpu_row rows[ROWS];
} looping;

static gpu_buffer *make_words(gpu_device *device, const char *name, uint64_t count)
{
    gpu_buffer *buffer = NULL;
    gpu_buffer_def def = {.name = name, .stride = 4, .count = count};
    OK(gpu_buffer_create(device, &def, &buffer));
    return buffer;
}

static gpu_row looping_row(const looping *l, const gpu_kernel *kernel, gpu_buffer *buffer)
{
    gpu_domain counted = {.name = "loop", .count = 128, .arguments = l->loop};
    gpu_domain one = {.name = "one", .count = 1};
    gpu_row row = gpu_row_make(kernel, kernel == l->end ? one : counted);
    gpu_row_bind(&row, 0, buffer);
    return row;
}

static void open_loop(looping *l)
{
    static const uint32_t each[] = {0, 1};
    *l = (looping){.device = open_gpu(true)};
    OK(gpu_kernel_create(l->device,
                         &(gpu_kernel_def){.shader = &tests_shaders[TEST_ROWS_VISIT],
                                           .constants = each,
                                           .constant_count = 2},
                         &l->visit));
    OK(gpu_kernel_create(l->device, &(gpu_kernel_def){.shader = &tests_shaders[TEST_ROWS_END]},
                         &l->end));
    l->before = make_words(l->device, "before", 128);
    l->behind = make_words(l->device, "behind", 128);
    l->loop = make_words(l->device, "loop", 4);
    l->rows[START] = looping_row(l, l->end, l->loop);
    l->rows[BEFORE] = looping_row(l, l->visit, l->before);
    l->rows[DECIDE] = looping_row(l, l->end, l->loop);
    l->rows[BEHIND] = looping_row(l, l->visit, l->behind);
    l->rows[START].constant = GPU_LOOP_RUNS;
    l->rows[DECIDE].constant = ENDS;
    l->rows[DECIDE].loop = l->loop;
    for (int r = BEFORE; r < ROWS; r++)
        l->rows[r].group = "turns";
    l->rows[BEFORE].repeat = REPEATS;
    OK(gpu_table_check(l->device, l->rows, ROWS));
    OK(gpu_timers_create(l->device, ROWS, &l->timers));
}

static void close_loop(looping *l)
{
    gpu_timers_destroy(l->device, &l->timers);
    gpu_buffer_destroy(l->device, &l->before);
    gpu_buffer_destroy(l->device, &l->behind);
    gpu_buffer_destroy(l->device, &l->loop);
    gpu_kernel_destroy(l->device, &l->visit);
    gpu_kernel_destroy(l->device, &l->end);
    assert_int_equal(close_gpu(&l->device), 0);
}

static void record_turns(looping *l, gpu_timers *timers)
{
    uint64_t ticket;
    OK(gpu_record_begin(l->device));
    for (uint32_t t = 0; t < TURNS; t++)
        OK(gpu_record_rows(l->device, l->rows, ROWS, t, timers));
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

static void rows_behind_the_end_do_nothing(void **state)
{
    (void)state;
    looping l;
    open_loop(&l);
    record_turns(&l, NULL);
    assert_visits(&l, l.before, TURNS * (ENDS + 1));
    assert_visits(&l, l.behind, TURNS * ENDS);
    close_loop(&l);
}

/* Also where each workgroup has a submission of its own. */
static void timers_count_only_rows_that_ran(void **state)
{
    (void)state;
    static const double budgets_ms[] = {1e9, 1e-9};
    for (size_t i = 0; i < BASE_COUNT(budgets_ms); i++) {
        looping l;
        open_loop(&l);
        gpu_device_watch(l.device, true);
        gpu_device_limit_submission(l.device, budgets_ms[i]);
        record_turns(&l, l.timers); /* unmeasured: tables go apart */
        record_turns(&l, l.timers);
        assert_int_equal(gpu_timers_row(l.timers, START).calls, 2 * TURNS);
        assert_int_equal(gpu_timers_row(l.timers, BEFORE).calls, 2 * TURNS * (ENDS + 1));
        assert_int_equal(gpu_timers_row(l.timers, DECIDE).calls, 2 * TURNS * (ENDS + 1));
        assert_int_equal(gpu_timers_row(l.timers, BEHIND).calls, 2 * TURNS * ENDS);
        assert_int_equal(gpu_timers_row(l.timers, ROWS).calls, 2 * TURNS);
        assert_visits(&l, l.before, 2 * TURNS * (ENDS + 1));
        assert_visits(&l, l.behind, 2 * TURNS * ENDS);
        close_loop(&l);
    }
}

static void a_loop_that_never_ends_runs_all_repetitions(void **state)
{
    (void)state;
    looping l;
    open_loop(&l);
    l.rows[DECIDE].constant = REPEATS;
    record_turns(&l, l.timers);
    assert_visits(&l, l.behind, TURNS * REPEATS);
    assert_int_equal(gpu_timers_row(l.timers, BEFORE).calls, TURNS * REPEATS);
    assert_int_equal(gpu_timers_row(l.timers, BEHIND).calls, TURNS * REPEATS);
    close_loop(&l);
}

static char explained[4096];

static void add_line(void *user, const char *line)
{
    (void)user;
    size_t used = strlen(explained);
    snprintf(explained + used, sizeof explained - used, "%s\n", line);
}

static void a_loop_is_explained_by_the_row_that_ends_it(void **state)
{
    (void)state;
    looping l;
    open_loop(&l);
    explained[0] = '\0';
    gpu_table_explain(l.rows, ROWS, add_line, NULL);
    assert_non_null(strstr(explained, "repeat at most 9 times, until rows_end ends it: turns\n"));
    close_loop(&l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(rows_behind_the_end_do_nothing),
        cmocka_unit_test(timers_count_only_rows_that_ran),
        cmocka_unit_test(a_loop_that_never_ends_runs_all_repetitions),
        cmocka_unit_test(a_loop_is_explained_by_the_row_that_ends_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
