/* Work of the host in pass lists: it sees what the passes before it have written, and those after
 * it see what it has written. */
#include "pass_fixture.h"

#define REPEATS 7u
#define ENDS_AT 4u
#define FAILS_AT 2u

/* What the host's work does with the ring, and what it has seen. */
typedef struct host_state {
    uint32_t *ring; /* mapped */
    uint32_t calls, last_outer, last_inner;
    uint32_t ends_at, fails_at; /* repetitions; UINT32_MAX: none */
    bool right;
} host_state;

/* Checks that the ring has been shifted twice per call and once more, then adds 1000 to its
 * elements. */
static weir_result add_thousand(void *user, uint32_t outer, uint32_t inner, bool *ends)
{
    host_state *h = user;
    const uint32_t times = 2 * h->calls + 1;
    for (uint32_t i = 0; i < RING; i++) {
        const uint32_t want = 7u * ((i + times) % RING) + times + 1000u * h->calls;
        h->right = h->right && h->ring[i] == want;
        h->ring[i] += 1000u;
    }
    h->calls++;
    h->last_outer = outer;
    h->last_inner = inner;
    *ends = inner == h->ends_at;
    return inner == h->fails_at ? WEIR_ERROR_IO : WEIR_OK;
}

/* A group that shifts a ring into mapped memory, lets the host change it there, and shifts it back.
 */
typedef struct ring_list {
    host_state state;
    gpu_host_work host;
    gpu_buffer *ring, *next;
    gpu_pass passes[3];
} ring_list;

static void open_ring(bench *b, ring_list *l)
{
    const gpu_buffer_def mapped = {
        .name = "mapped", .stride = 4, .count = RING, .memory = GPU_MEMORY_HOST};
    *l = (ring_list){.state = {.ends_at = UINT32_MAX, .fails_at = UINT32_MAX, .right = true}};
    OK(gpu_buffer_create(b->device, &mapped, &l->next));
    l->ring = create_buffer(b, "ring", RING);
    fill_ascending(b, l->ring);
    l->state.ring = gpu_buffer_map(l->next);
    l->host = (gpu_host_work){"add_thousand", add_thousand, &l->state};
    l->passes[0] = shift_pass(b, l->ring, l->next);
    l->passes[1] = gpu_pass_make_host(&l->host);
    l->passes[2] = shift_pass(b, l->next, l->ring);
    for (int i = 0; i < 3; i++)
        l->passes[i].group = "turns";
    l->passes[0].repeat = REPEATS;
}

static void close_ring(bench *b, ring_list *l)
{
    gpu_buffer_destroy(b->device, &l->ring);
    gpu_buffer_destroy(b->device, &l->next);
}

/* Runs the list once in one recording; returns the result. */
static weir_result run_ring(bench *b, ring_list *l, gpu_timers *timers)
{
    OK(gpu_passes_check(b->device, l->passes, 3));
    OK(gpu_record_begin(b->device));
    WEIR_RETURN_IF_ERROR(gpu_record_passes(b->device, l->passes, 3, 5, timers));
    return gpu_record_finish(b->device);
}

/* Checks the ring after some calls, of which the last may have failed. */
static void assert_ring(bench *b, const ring_list *l, uint32_t calls, uint32_t shifts)
{
    uint32_t *words = download_words(b, l->ring);
    assert_int_equal(l->state.calls, calls);
    assert_true(l->state.right);
    for (uint32_t i = 0; i < RING; i++)
        assert_int_equal(words[i], 7u * ((i + shifts) % RING) + shifts + 500u * shifts);
    free(words);
}

static void the_host_works_between_passes(void **state)
{
    ring_list l;
    open_ring(&checked_bench, &l);
    OK(run_ring(&checked_bench, &l, NULL));
    assert_ring(&checked_bench, &l, REPEATS, 2 * REPEATS);
    assert_int_equal(l.state.last_outer, 5);
    assert_int_equal(l.state.last_inner, REPEATS - 1);
    close_ring(&checked_bench, &l);
    assert_valid(&checked_bench);
}

static void passes_are_timed_around_it(void **state)
{
    ring_list l;
    gpu_timers *timers = NULL;
    open_ring(&checked_bench, &l);
    OK(gpu_timers_create(checked_bench.device, 3, &timers));
    gpu_timers_time_passes(timers, true);
    OK(run_ring(&checked_bench, &l, timers));
    assert_ring(&checked_bench, &l, REPEATS, 2 * REPEATS);
    assert_int_equal(gpu_timers_pass_time(timers, 0).calls, REPEATS);
    assert_int_equal(gpu_timers_pass_time(timers, 1).calls, 0);
    assert_int_equal(gpu_timers_pass_time(timers, 2).calls, REPEATS);
    gpu_timers_time_passes(timers, false); /* then the list is timed as a whole */
    OK(run_ring(&checked_bench, &l, timers));
    assert_ring(&checked_bench, &l, 2 * REPEATS, 4 * REPEATS);
    assert_int_equal(gpu_timers_pass_time(timers, 0).calls, REPEATS);
    gpu_timers_destroy(checked_bench.device, &timers);
    close_ring(&checked_bench, &l);
    assert_valid(&checked_bench);
}

/* The repetition in which it says so is the last one. */
static void it_can_end_its_group(void **state)
{
    ring_list l;
    open_ring(&checked_bench, &l);
    l.state.ends_at = ENDS_AT;
    OK(run_ring(&checked_bench, &l, NULL));
    assert_ring(&checked_bench, &l, ENDS_AT + 1, 2 * (ENDS_AT + 1));
    close_ring(&checked_bench, &l);
    assert_valid(&checked_bench);
}

static void its_failure_ends_the_recording_and_the_next_one_works(void **state)
{
    ring_list l;
    open_ring(&checked_bench, &l);
    l.state.fails_at = FAILS_AT;
    assert_int_equal(run_ring(&checked_bench, &l, NULL), WEIR_ERROR_IO);
    assert_ring(&checked_bench, &l, FAILS_AT + 1, 2 * FAILS_AT);
    close_ring(&checked_bench, &l);
    open_ring(&checked_bench, &l);
    OK(run_ring(&checked_bench, &l, NULL));
    assert_ring(&checked_bench, &l, REPEATS, 2 * REPEATS);
    close_ring(&checked_bench, &l);
    assert_valid(&checked_bench);
}

static void keep_line(void *user, const char *line)
{
    char *lines = user;
    snprintf(lines + strlen(lines), 2048 - strlen(lines), "%s\n", line);
}

static void explain_names_it(void **state)
{
    ring_list l;
    char lines[2048] = "";
    open_ring(&checked_bench, &l);
    gpu_explainer e = {.write = keep_line, .user = lines};
    gpu_explain_passes(&e, "a list", l.passes, 3);
    OK(gpu_explain_end(&e, gpu_device_log(checked_bench.device)));
    const char *host = strstr(lines, "add_thousand");
    assert_non_null(host);
    assert_non_null(strstr(host, "on the host, which waits for the passes before\n"));
    assert_null(strstr(host, "barrier")); /* it has waited for all */
    close_ring(&checked_bench, &l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_host_works_between_passes),
        cmocka_unit_test(passes_are_timed_around_it),
        cmocka_unit_test(it_can_end_its_group),
        cmocka_unit_test(its_failure_ends_the_recording_and_the_next_one_works),
        cmocka_unit_test(explain_names_it),
    };
    return cmocka_run_group_tests(tests, open_checked, close_checked);
}
