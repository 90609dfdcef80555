/* Tests buffers and transfers, recordings that fail, and timers. */
#include "pass_fixture.h"

/* ---- buffers -------------------------------------------------------------------------------- */

static void transfers_larger_than_the_staging_buffer_are_whole(void **state)
{
    uint32_t n = 2 * GPU_STAGING_BYTES / 4 + 1003;
    gpu_buffer *buffer = create_buffer(&checked_bench, "large", n);
    uint32_t *words = malloc(4ull * n), *back = malloc(4ull * n);
    assert_true(words && back);
    for (uint32_t i = 0; i < n; i++)
        words[i] = i * 2654435761u;
    OK(gpu_buffer_upload(checked_bench.device, buffer, 4, words, 4ull * (n - 1)));
    OK(gpu_buffer_download(checked_bench.device, buffer, 0, back, 4ull * n));
    assert_int_equal(back[0], 0); /* buffers are initially zero */
    assert_memory_equal(back + 1, words, 4ull * (n - 1));
    free(words);
    free(back);
    gpu_buffer_destroy(checked_bench.device, &buffer);
}

static void nothing_is_a_legal_amount(void **state)
{
    gpu_buffer *empty = create_buffer(&checked_bench, "empty", 0);
    assert_int_equal(gpu_buffer_count(empty), 1);
    OK(gpu_buffer_upload(checked_bench.device, empty, 0, NULL, 0));
    OK(gpu_buffer_upload(checked_bench.device, empty, 4, NULL, 0));
    OK(gpu_buffer_download(checked_bench.device, empty, 0, NULL, 0));
    gpu_pass pass = visit_pass(&checked_bench, empty);
    pass.dispatch_size.count = 0;
    OK(gpu_run_passes(checked_bench.device, &pass, 1));
    OK(gpu_run_passes(checked_bench.device, NULL, 0));
    uint32_t *words = download_words(&checked_bench, empty);
    assert_int_equal(words[0], 0);
    free(words);
    uint64_t ticket;
    OK(gpu_record_begin(checked_bench.device));
    OK(gpu_record_copy(checked_bench.device, &(gpu_copy){.from = empty, .to = empty, .size = 0}));
    OK(gpu_record_submit(checked_bench.device, &ticket));
    OK(gpu_ticket_wait(checked_bench.device, ticket));
    gpu_buffer_destroy(checked_bench.device, &empty);
    gpu_buffer_destroy(checked_bench.device, &empty);
}

static void host_memory_shows_what_a_pass_wrote(void **state)
{
    gpu_buffer *host = NULL, *device = create_buffer(&checked_bench, "device", RING);
    OK(gpu_buffer_create(
        checked_bench.device,
        &(gpu_buffer_def){.name = "host", .stride = 4, .count = RING, .memory = GPU_MEMORY_HOST},
        &host));
    uint32_t *mapped = gpu_buffer_map(host);
    assert_int_equal(mapped[RING - 1], 0);
    for (uint32_t turn = 0; turn < 5; turn++) {
        for (uint32_t i = 0; i < RING; i++)
            mapped[i] = 7 * i;
        const gpu_pass passes[2] = {shift_pass(&checked_bench, host, device),
                                    shift_pass(&checked_bench, device, host)};
        OK(gpu_run_passes(checked_bench.device, passes, 2));
        for (uint32_t i = 0; i < RING; i++)
            assert_int_equal(mapped[i], 7 * ((i + 2) % RING) + 2);
    }
    gpu_buffer_destroy(checked_bench.device, &host);
    gpu_buffer_destroy(checked_bench.device, &device);
    assert_valid(&checked_bench);
}

static void a_buffer_that_is_too_large_is_refused_and_leaves_nothing(void **state)
{
    static const uint64_t counts[] = {1ull << 30, (1ull << 30) + 1, 1ull << 38, UINT64_MAX / 4,
                                      UINT64_MAX};
    uint64_t used = gpu_device_memory_used(checked_bench.device);
    for (size_t i = 0; i < BASE_COUNT(counts) * 2; i++) {
        uint64_t count = counts[i / 2];
        if (count * 4 <= checked_bench.device->largest_buffer) continue;
        gpu_buffer *buffer = NULL;
        const gpu_buffer_def def = {.name = "giant",
                                    .stride = 4,
                                    .count = count,
                                    .memory = i % 2 ? GPU_MEMORY_HOST : GPU_MEMORY_DEVICE};
        checked_bench.log[0] = '\0';
        assert_int_equal(gpu_buffer_create(checked_bench.device, &def, &buffer), WEIR_ERROR_MEMORY);
        assert_null(buffer);
        assert_bench_logged(&checked_bench, "buffer giant needs ");
        assert_bench_logged(&checked_bench, "MiB");
        assert_int_equal(gpu_device_memory_used(checked_bench.device), used);
    }
    gpu_buffer *visits = create_buffer(&checked_bench, "visits", 1000);
    const gpu_pass pass = visit_pass(&checked_bench, visits);
    OK(gpu_run_passes(checked_bench.device, &pass, 1));
    assert_visited_once(&checked_bench, visits);
    gpu_buffer_destroy(checked_bench.device, &visits);
    assert_int_equal(gpu_device_memory_used(checked_bench.device), used);
}

/* ---- failures ------------------------------------------------------------------------------- */

static void *refuse_memory(void *user, void *memory, size_t size)
{
    (void)user;
    if (size == 0) free(memory);
    return NULL;
}

#define FULL 128 /* number of descriptor sets at which their table grows */

static void a_pass_that_fails_gives_the_recording_up(void **state)
{
    bench b;
    gpu_buffer *visits[FULL + 1];
    open_bench(&b, true);
    for (int i = 0; i <= FULL; i++)
        visits[i] = create_buffer(&b, "visits", 1000);
    for (int i = 0; b.device->set_count < FULL; i++) { /* the self-test uses some of them */
        const gpu_pass pass = visit_pass(&b, visits[i]);
        OK(gpu_run_passes(b.device, &pass, 1));
    }
    const gpu_pass last = visit_pass(&b, visits[FULL]);
    for (int i = 0; i < 3; i++) {
        OK(gpu_record_begin(b.device));
        base_allocator before = base_allocator_set(&(base_allocator){.resize = refuse_memory});
        weir_result result = gpu_record_passes(b.device, &last, 1, 0, NULL);
        base_allocator_set(&before);
        assert_int_equal(result, WEIR_ERROR_MEMORY);
    }
    OK(gpu_run_passes(b.device, &last, 1));
    assert_visited_once(&b, visits[FULL]);
    for (int i = 0; i <= FULL; i++)
        gpu_buffer_destroy(b.device, &visits[i]);
    assert_int_equal(close_bench(&b), 0);
}

/* ---- timers --------------------------------------------------------------------------------- */

static void record_shifts(bench *b, const gpu_pass passes[2], gpu_timers *timers, double *ms)
{
    uint64_t ticket;
    OK(gpu_record_begin(b->device));
    gpu_record_elapsed(b->device, ms);
    for (uint32_t k = 0; k < 20; k++)
        OK(gpu_record_passes(b->device, passes, 2, k, timers));
    OK(gpu_record_submit(b->device, &ticket));
    OK(gpu_ticket_wait(b->device, ticket));
}

static void timers_count_calls_also_when_a_recording_is_split(void **state)
{
    /* Never split; one submission per workgroup. */
    static const double budgets[] = {1e9, 1e-9};
    for (size_t i = 0; i < BASE_COUNT(budgets); i++) {
        bench b;
        gpu_timers *timers = NULL;
        double total = 0.0;
        open_bench(&b, true);
        gpu_buffer *a = create_buffer(&b, "a", RING), *c = create_buffer(&b, "c", RING);
        const gpu_pass passes[2] = {shift_pass(&b, a, c), shift_pass(&b, c, a)};
        OK(gpu_timers_create(b.device, 2, &timers));
        gpu_timers_time_passes(timers, true);
        gpu_device_limit_submission(b.device, budgets[i]);
        for (uint32_t turn = 0; turn < 3; turn++) {
            fill_ascending(&b, a);
            uint64_t before = b.device->next_ticket;
            record_shifts(&b, passes, timers, &total);
            uint64_t submissions = b.device->next_ticket - before;
            if (turn == 0) /* the duration of the passes is still unknown */
                assert_true(submissions > GPU_COMMAND_SLOTS);
            else
                assert_int_equal(submissions, i ? 40 * 47 : 1);
            assert_shifted(&b, a, 40);
        }
        gpu_pass_time first = gpu_timers_pass_time(timers, 0),
                      second = gpu_timers_pass_time(timers, 1);
        assert_int_equal(first.calls, 60);
        assert_int_equal(second.calls, 60);
        assert_true(first.median_ms > 0.0 && second.median_ms > 0.0);
        assert_true(fabs(first.total_ms + second.total_ms - total) <= 1e-9 * total);
        gpu_timers_reset(timers);
        assert_int_equal(gpu_timers_pass_time(timers, 0).calls, 0);
        gpu_timers_destroy(b.device, &timers);
        gpu_buffer_destroy(b.device, &a);
        gpu_buffer_destroy(b.device, &c);
        assert_int_equal(close_bench(&b), 0);
    }
}

/* Returns the number of submissions of 20 repetitions of a pass list. */
static uint64_t submissions_of(bench *b, const gpu_pass passes[2])
{
    double total = 0.0;
    uint64_t before = b->device->next_ticket;
    record_shifts(b, passes, NULL, &total);
    return b->device->next_ticket - before;
}

/* Passes of unknown duration: each element counts as 1 us of the 75 ms. */
static void passes_that_were_never_timed_are_split_by_their_elements(void **state)
{
    static const struct {
        uint32_t elements, submissions;
    } cases[] = {{1000, 1}, {20000, 14}, {60000, 40}, {150000, 40 * 4}};
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        gpu_timers *timers = NULL;
        gpu_buffer *a = create_buffer(&checked_bench, "a", cases[i].elements);
        gpu_buffer *c = create_buffer(&checked_bench, "c", cases[i].elements);
        gpu_pass passes[2] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, c, a)};
        assert_int_equal(submissions_of(&checked_bench, passes), cases[i].submissions);
        assert_int_equal(submissions_of(&checked_bench, passes), cases[i].submissions);
        /* With timers this holds until the first submission is seen to have finished. */
        double total = 0.0;
        passes[0].group = passes[1].group = "turns";
        passes[0].repeat = passes[1].repeat = 20;
        OK(gpu_timers_create(checked_bench.device, 2, &timers));
        for (uint32_t turn = 0; turn < 2; turn++) {
            uint64_t ticket, before = checked_bench.device->next_ticket;
            OK(gpu_record_begin(checked_bench.device));
            gpu_record_elapsed(checked_bench.device, &total);
            OK(gpu_record_passes(checked_bench.device, passes, 2, 0, timers));
            OK(gpu_record_submit(checked_bench.device, &ticket));
            OK(gpu_ticket_wait(checked_bench.device, ticket));
            uint64_t submissions = checked_bench.device->next_ticket - before;
            if (turn)
                assert_int_equal(submissions, 1);
            else if (cases[i].submissions > GPU_COMMAND_SLOTS)
                assert_true(submissions > GPU_COMMAND_SLOTS);
            else
                assert_int_equal(submissions, cases[i].submissions);
            /* Ignores the measured duration; 0 is a known duration, as of a pass that its loop
             * skips. */
            timers->passes[0].predicted_ms = timers->passes[1].predicted_ms = 0.0;
        }
        gpu_timers_destroy(checked_bench.device, &timers);
        gpu_buffer_destroy(checked_bench.device, &a);
        gpu_buffer_destroy(checked_bench.device, &c);
    }
}

/* The second pass of a timed list is replaced by one of as many elements: only that one is split as
 * if it had never been timed. */
static void a_replaced_pass_is_split_by_its_elements(void **state)
{
    gpu_timers *timers = NULL;
    gpu_buffer *a = create_buffer(&checked_bench, "a", 150000);
    gpu_buffer *c = create_buffer(&checked_bench, "c", 150000);
    gpu_pass passes[2] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, c, a)};
    uint64_t submissions[3];
    OK(gpu_timers_create(checked_bench.device, 2, &timers));
    for (uint32_t turn = 0; turn < 3; turn++) {
        uint64_t ticket, before = checked_bench.device->next_ticket;
        OK(gpu_record_begin(checked_bench.device));
        OK(gpu_record_passes(checked_bench.device, passes, 2, 0, timers));
        OK(gpu_record_submit(checked_bench.device, &ticket));
        OK(gpu_ticket_wait(checked_bench.device, ticket));
        submissions[turn] = checked_bench.device->next_ticket - before;
        timers->passes[0].predicted_ms = timers->passes[1].predicted_ms = 0.0;
        if (turn == 1) gpu_timers_reset(timers);
        if (turn == 1) gpu_timers_forget_pass(timers, 1);
    }
    assert_int_equal(submissions[0], 2 * 4);
    assert_int_equal(submissions[1], 1);
    assert_int_equal(submissions[2], 4);
    gpu_timers_destroy(checked_bench.device, &timers);
    gpu_buffer_destroy(checked_bench.device, &a);
    gpu_buffer_destroy(checked_bench.device, &c);
}

/* Submissions of passes without timers count as well. */
static void the_longest_submission_is_known_until_somebody_asks(void **state)
{
    gpu_buffer *a = create_buffer(&checked_bench, "a", RING),
               *c = create_buffer(&checked_bench, "c", RING);
    const gpu_pass passes[2] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, c, a)};
    (void)gpu_device_longest_submission(checked_bench.device);
    OK(gpu_run_passes(checked_bench.device, passes, 2));
    double longest_ms = checked_bench.device->longest_ms;
    OK(gpu_run_passes(checked_bench.device, passes, 1));
    assert_true(checked_bench.device->longest_ms >= longest_ms);
    assert_true(gpu_device_longest_submission(checked_bench.device) > 0.0);
    assert_true(gpu_device_longest_submission(checked_bench.device) <= 0.0);
    gpu_buffer_destroy(checked_bench.device, &a);
    gpu_buffer_destroy(checked_bench.device, &c);
}

static void more_timestamps_than_one_submission_holds_are_split(void **state)
{
    gpu_timers *timers = NULL;
    gpu_buffer *visits = create_buffer(&checked_bench, "visits", 1);
    const gpu_pass pass = visit_pass(&checked_bench, visits);
    uint32_t calls = GPU_SLOT_QUERIES + 100;
    OK(gpu_timers_create(checked_bench.device, 1, &timers));
    gpu_timers_time_passes(timers, true);
    for (int turn = 0; turn < 2; turn++) { /* once measured, passes share a submission */
        uint64_t ticket;
        OK(gpu_record_begin(checked_bench.device));
        for (uint32_t i = 0; i < (turn ? calls : 1); i++)
            OK(gpu_record_passes(checked_bench.device, &pass, 1, 0, timers));
        OK(gpu_record_submit(checked_bench.device, &ticket));
        OK(gpu_ticket_wait(checked_bench.device, ticket));
    }
    uint32_t *words = download_words(&checked_bench, visits);
    assert_int_equal(words[0], calls + 1);
    assert_int_equal(gpu_timers_pass_time(timers, 0).calls, calls + 1);
    free(words);
    gpu_timers_destroy(checked_bench.device, &timers);
    gpu_buffer_destroy(checked_bench.device, &visits);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(transfers_larger_than_the_staging_buffer_are_whole),
        cmocka_unit_test(nothing_is_a_legal_amount),
        cmocka_unit_test(host_memory_shows_what_a_pass_wrote),
        cmocka_unit_test(a_buffer_that_is_too_large_is_refused_and_leaves_nothing),
        cmocka_unit_test(a_pass_that_fails_gives_the_recording_up),
        cmocka_unit_test(timers_count_calls_also_when_a_recording_is_split),
        cmocka_unit_test(passes_that_were_never_timed_are_split_by_their_elements),
        cmocka_unit_test(a_replaced_pass_is_split_by_its_elements),
        cmocka_unit_test(the_longest_submission_is_known_until_somebody_asks),
        cmocka_unit_test(more_timestamps_than_one_submission_holds_are_split),
    };
    return cmocka_run_group_tests(tests, open_checked, close_checked);
}
