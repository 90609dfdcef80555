/* Child processes that read from a pipe: the data they receive, and their exit. */
#include "base.h"

#include <setjmp.h>

#include <cmocka.h>

static char said[2048];

static void keep(void *user, weir_log_level level, const char *text)
{
    (void)user, (void)level;
    snprintf(said, sizeof said, "%s", text);
}

static const weir_log log_said = {.write = keep, .level = WEIR_LOG_INFO};

static void the_program_reads_what_is_written(void **state)
{
    const char *const words[] = {"sh", "-c", "test \"$(wc -c)\" -eq 300000", NULL};
    static char bytes[100000];
    base_process *process;
    assert_int_equal(base_process_open(&log_said, words, &process), WEIR_OK);
    for (int i = 0; i < 3; i++)
        assert_int_equal(base_process_write(process, bytes, sizeof bytes), WEIR_OK);
    assert_int_equal(base_process_wait(&process), WEIR_OK);
    assert_null(process);
}

static void a_missing_program_is_named(void **state)
{
    const char *const words[] = {"weir-no-such-program", NULL};
    base_process *process;
    assert_int_equal(base_process_open(&log_said, words, &process), WEIR_ERROR_IO);
    assert_null(process);
    assert_non_null(strstr(said, "weir-no-such-program"));
}

static void a_program_that_fails_is_reported(void **state)
{
    const char *const words[] = {"sh", "-c", "cat > /dev/null; exit 3", NULL};
    base_process *process;
    assert_int_equal(base_process_open(&log_said, words, &process), WEIR_OK);
    assert_int_equal(base_process_wait(&process), WEIR_ERROR_IO);
    assert_non_null(strstr(said, "status 3"));
}

/* The signal of a broken pipe does not end the writing process. */
static void a_program_that_ends_early_is_no_catastrophe(void **state)
{
    const char *const words[] = {"sh", "-c", "exec 0<&-; exit 0", NULL};
    static char bytes[100000];
    base_process *process;
    weir_result result = WEIR_OK;
    assert_int_equal(base_process_open(&log_said, words, &process), WEIR_OK);
    for (int i = 0; i < 1000 && result == WEIR_OK; i++)
        result = base_process_write(process, bytes, sizeof bytes);
    assert_int_equal(result, WEIR_ERROR_IO);
    assert_int_equal(base_process_wait(&process), WEIR_OK);
}

static void closing_nothing_is_fine(void **state)
{
    base_process *process = NULL;
    assert_int_equal(base_process_wait(&process), WEIR_OK);
}

static void what_a_program_says_is_heard_with_its_status(void **state)
{
    const char *const words[] = {"sh", "-c", "echo out; echo err >&2; exit 4", NULL};
    const char *const many[] = {"sh", "-c", "head -c 300000 /dev/zero", NULL};
    const char *const missing[] = {"weir-no-such-program", NULL};
    base_text text = {0};
    int status = 0;
    assert_int_equal(base_process_capture(&log_said, words, &text, &status), WEIR_OK);
    assert_int_equal(status, 4);
    assert_int_equal(text.count, 8);
    assert_memory_equal(text.items, "out\nerr\n", 8);
    assert_int_equal(base_process_capture(&log_said, many, &text, &status), WEIR_OK);
    assert_int_equal(status, 0);
    assert_int_equal(text.count, 300008);
    assert_int_equal(base_process_capture(&log_said, missing, &text, &status), WEIR_ERROR_IO);
    assert_non_null(strstr(said, "weir-no-such-program"));
    BASE_ARRAY_FREE(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_program_reads_what_is_written),
        cmocka_unit_test(a_missing_program_is_named),
        cmocka_unit_test(a_program_that_fails_is_reported),
        cmocka_unit_test(a_program_that_ends_early_is_no_catastrophe),
        cmocka_unit_test(closing_nothing_is_fine),
        cmocka_unit_test(what_a_program_says_is_heard_with_its_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
