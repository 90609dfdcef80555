/* Messages, results and assertions. */
#define _POSIX_C_SOURCE 200809L
#include "base.h"

#include <setjmp.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct heard {
    int count;
    weir_log_level level;
    char text[4096];
} heard;

static void hear(void *user, weir_log_level level, const char *text)
{
    heard *h = user;
    h->count++;
    h->level = level;
    snprintf(h->text, sizeof h->text, "%s", text);
}

static void messages_above_the_level_are_not_made(void **state)
{
    heard h = {0};
    weir_log log = {hear, &h, WEIR_LOG_WARNING};
    base_log(&log, WEIR_LOG_INFO, "%s", "quiet");
    assert_int_equal(h.count, 0);
    base_log(&log, WEIR_LOG_WARNING, "speed %d", 3);
    assert_int_equal(h.count, 1);
    assert_int_equal(h.level, WEIR_LOG_WARNING);
    assert_string_equal(h.text, "speed 3");
}

static void an_absent_log_is_silent(void **state)
{
    weir_log zero = {0};
    base_log(NULL, WEIR_LOG_ERROR, "x");
    base_log(&zero, WEIR_LOG_ERROR, "x");
    assert_int_equal(base_fail(NULL, WEIR_ERROR_IO, "x"), WEIR_ERROR_IO);
}

static void fail_logs_an_error_and_passes_the_result_on(void **state)
{
    heard h = {0};
    weir_log log = {hear, &h, WEIR_LOG_ERROR};
    assert_int_equal(base_fail(&log, WEIR_ERROR_SCENE, "a.json:%d: bad", 7), WEIR_ERROR_SCENE);
    assert_int_equal(h.level, WEIR_LOG_ERROR);
    assert_string_equal(h.text, "a.json:7: bad");
}

static void a_long_message_arrives_whole(void **state)
{
    heard h = {0};
    weir_log log = {hear, &h, WEIR_LOG_ERROR};
    base_log(&log, WEIR_LOG_ERROR, "%0*d.", 3000, 1);
    assert_int_equal(strlen(h.text), 3001);
    assert_int_equal(h.text[3000], '.');
    base_log(&log, WEIR_LOG_ERROR, "%0*d", 1023, 1);
    assert_int_equal(strlen(h.text), 1023);
    base_log(&log, WEIR_LOG_ERROR, "%0*d", 1024, 1);
    assert_int_equal(strlen(h.text), 1024);
}

static void a_failed_assertion_aborts(void **state)
{
    WEIR_ASSERT(1 + 1 == 2);
    pid_t child = fork();
    if (child == 0) {
        if (!freopen("/dev/null", "w", stderr)) _exit(1);
        signal(SIGABRT, SIG_DFL);
        WEIR_ASSERT(1 + 1 == 3);
        _exit(0);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(messages_above_the_level_are_not_made),
        cmocka_unit_test(an_absent_log_is_silent),
        cmocka_unit_test(fail_logs_an_error_and_passes_the_result_on),
        cmocka_unit_test(a_long_message_arrives_whole),
        cmocka_unit_test(a_failed_assertion_aborts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
