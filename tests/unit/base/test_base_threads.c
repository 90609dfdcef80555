/* Threads, locks, time, libraries, interrupts. */
#define _XOPEN_SOURCE 700
#include "base.h"

#include <setjmp.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

enum { THREADS = 4, TURNS = 20000 };

typedef struct shared_count {
    base_mutex *mutex;
    base_condition *changed;
    int count;
    bool go;
} shared_count;

static void add_when_told(void *user)
{
    shared_count *s = user;
    base_mutex_lock(s->mutex);
    while (!s->go)
        base_condition_wait(s->changed, s->mutex);
    base_mutex_unlock(s->mutex);
    for (int i = 0; i < TURNS; i++) {
        base_mutex_lock(s->mutex);
        s->count++;
        base_mutex_unlock(s->mutex);
    }
}

static void a_signal_wakes_all_and_a_mutex_loses_no_turn(void **state)
{
    shared_count s = {.mutex = base_mutex_create(), .changed = base_condition_create()};
    base_thread *threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        assert_non_null(threads[i] = base_thread_start(add_when_told, &s));
    base_mutex_lock(s.mutex);
    s.go = true;
    base_condition_signal(s.changed);
    base_mutex_unlock(s.mutex);
    for (int i = 0; i < THREADS; i++) {
        base_thread_join(&threads[i]);
        assert_null(threads[i]);
    }
    assert_int_equal(s.count, THREADS * TURNS);
    base_condition_destroy(&s.changed);
    base_mutex_destroy(&s.mutex);
    assert_null(s.mutex);
}

enum { PARALLEL = 10007, GRAIN = 64 };

static void mark_piece(void *user, size_t first, size_t end)
{
    uint32_t *marks = user;
    assert_int_equal(first % GRAIN, 0);
    assert_true(end == PARALLEL || end - first == GRAIN);
    for (size_t i = first; i < end; i++)
        marks[i]++;
}

static void a_parallel_loop_visits_everything_once_on_any_number_of_threads(void **state)
{
    for (uint32_t threads = 0; threads <= THREADS; threads++) {
        uint32_t *marks = base_alloc(PARALLEL, sizeof *marks);
        assert_non_null(marks);
        base_parallel_set_max_threads(threads);
        base_parallel_for(PARALLEL, GRAIN, mark_piece, marks);
        for (size_t i = 0; i < PARALLEL; i++)
            assert_int_equal(marks[i], 1);
        base_free(marks);
    }
    base_parallel_set_max_threads(0);
    base_parallel_for(0, GRAIN, mark_piece, NULL);
}

static void destroying_nothing_is_fine(void **state)
{
    base_thread *thread = NULL;
    base_mutex *mutex = NULL;
    base_condition *condition = NULL;
    base_thread_join(&thread);
    base_mutex_destroy(&mutex);
    base_condition_destroy(&condition);
}

static void the_clock_never_goes_back(void **state)
{
    double last = base_time_s();
    for (int i = 0; i < 1000; i++) {
        double now = base_time_s();
        assert_true(now >= last);
        last = now;
    }
}

static void a_thread_that_sleeps_computes_nothing(void **state)
{
    double start = base_thread_cpu_time_s(), wall = base_time_s(), sum = 0.0;
    base_sleep(0.05);
    double slept = base_thread_cpu_time_s() - start;
    assert_true(slept >= 0.0 && slept < 0.5 * (base_time_s() - wall));
    for (volatile int i = 0; i < 1000000; i = i + 1)
        sum += i;
    assert_true(sum > 0.0 && base_thread_cpu_time_s() > start + slept);
}

static void utc_has_its_one_form(void **state)
{
    char text[32];
    base_time_utc(text);
    int parts[6], used = 0;
    assert_int_equal(sscanf(text, "%4d-%2d-%2dT%2d:%2d:%2dZ%n", parts, parts + 1, parts + 2,
                            parts + 3, parts + 4, parts + 5, &used),
                     6);
    assert_int_equal(used, 20);
    assert_int_equal(strlen(text), 20);
    assert_true(parts[0] >= 2024);
}

static void the_first_library_that_opens_is_taken(void **state)
{
    static const char *const names[] = {"libweir-that-is-not-there.so.9", "libm.so.6",
                                        "libSystem.dylib"};
    void *library = base_library_open(names, BASE_COUNT(names));
    assert_non_null(library);
    assert_non_null(base_library_symbol(library, "cosf"));
    assert_null(base_library_symbol(library, "weir_that_is_not_there"));
    base_library_close(library);
    assert_null(base_library_open(names, 1));
    assert_null(base_library_symbol(NULL, "cosf"));
    base_library_close(NULL);
}

static void a_machine_has_a_cpu_and_a_file_is_no_terminal(void **state)
{
    assert_true(base_cpu_count() >= 1);
    FILE *file = tmpfile();
    assert_non_null(file);
    assert_false(base_is_terminal(file));
    assert_int_equal(base_terminal_columns(file), 80);
    fclose(file);
}

/* Runs in a child, whose exit status shows how far it came. */
static void an_interrupt_sets_a_mark_and_a_later_one_ends_the_program(void **state)
{
    pid_t child = fork();
    if (child == 0) {
        signal(SIGINT, SIG_DFL);
        base_interrupt_install();
        if (base_interrupted()) _exit(1);
        raise(SIGINT);
        if (!base_interrupted()) _exit(2);
        raise(SIGINT); /* immediately: the same request, since wrappers send it twice */
        nanosleep(&(struct timespec){.tv_sec = 2}, NULL);
        raise(SIGINT);
        _exit(3);
    }
    int status = 0;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGINT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_signal_wakes_all_and_a_mutex_loses_no_turn),
        cmocka_unit_test(a_parallel_loop_visits_everything_once_on_any_number_of_threads),
        cmocka_unit_test(destroying_nothing_is_fine),
        cmocka_unit_test(the_clock_never_goes_back),
        cmocka_unit_test(a_thread_that_sleeps_computes_nothing),
        cmocka_unit_test(utc_has_its_one_form),
        cmocka_unit_test(the_first_library_that_opens_is_taken),
        cmocka_unit_test(an_interrupt_sets_a_mark_and_a_later_one_ends_the_program),
        cmocka_unit_test(a_machine_has_a_cpu_and_a_file_is_no_terminal),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
