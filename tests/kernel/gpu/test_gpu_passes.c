/* Tests passes and their recorder: declarations, barriers, chunks, parts, dispatch sizes. */
#include "pass_fixture.h"

/* ---- declarations --------------------------------------------------------------------------- */

static void refuse(bench *b, const gpu_pass *pass, const char *const *words)
{
    b->log[0] = '\0';
    assert_int_not_equal(gpu_passes_check(b->device, pass, 1), WEIR_OK);
    for (size_t i = 0; words[i]; i++)
        assert_bench_logged(b, words[i]);
}

#define REFUSE(pass, ...) refuse(&checked_bench, (pass), (const char *const[]){__VA_ARGS__, NULL})

static void a_wrong_binding_is_refused_by_pass_and_name(void **state)
{
    gpu_buffer *one = create_buffer(&checked_bench, "one", 64),
               *two = create_buffer(&checked_bench, "two", 64);
    gpu_pass pass = shift_pass(&checked_bench, one, two);
    OK(gpu_passes_check(checked_bench.device, &pass, 1));
    pass = make_pass(&checked_bench, SHIFT, 64, one, NULL);
    REFUSE(&pass, "pass pass_shift", "declares to (binding 1), but no buffer is bound");
    gpu_pass_bind(&pass, 1, two);
    OK(gpu_passes_check(checked_bench.device, &pass, 1));
    gpu_pass_bind(&pass, 9, two);
    REFUSE(&pass, "pass pass_shift", "a number that its shader does not declare");
    gpu_buffer_destroy(checked_bench.device, &one);
    gpu_buffer_destroy(checked_bench.device, &two);
}

/* A kernel whose table entry contradicts its SPIR-V. */
static void a_shader_and_its_table_that_disagree_are_refused(void **state)
{
    gpu_pipeline *pipeline = NULL;
    gpu_shader less = tests_shaders[TEST_PASS_SHIFT];
    less.use_count = 1;
    const gpu_pipeline_def wrong = {.shader = &less, .name = "less"};
    const gpu_pipeline_def bare = {.shader = &tests_shaders[TEST_PASS_COUNT_VISITS]};
    checked_bench.log[0] = '\0';
    assert_int_equal(gpu_pipeline_create(checked_bench.device, &wrong, &pipeline),
                     WEIR_ERROR_ARGUMENT);
    assert_bench_logged(&checked_bench, "shader less: tests/pass_shift.comp uses binding 1");
    assert_int_equal(gpu_pipeline_create(checked_bench.device, &bare, &pipeline),
                     WEIR_ERROR_ARGUMENT);
    assert_bench_logged(&checked_bench,
                        "shader pass_count_visits: tests/pass_count_visits.comp declares "
                        "the specialization constant 1, but the program gives it no value");
    assert_null(pipeline);
}

static void a_pass_that_gathers_what_it_writes_is_refused(void **state)
{
    gpu_buffer *both = create_buffer(&checked_bench, "both", 64);
    gpu_pass pass = shift_pass(&checked_bench, both, both);
    REFUSE(&pass, "pass pass_shift races with itself", "both is used as read any and as write own");
    pass.uses[1].access = GPU_WRITE_ANY;
    REFUSE(&pass, "pass pass_shift races with itself", "both is used as read any and as write any");
    /* Even of its own element: the compiler may read it after the write. */
    pass.uses[0].access = GPU_READ_OWN;
    pass.uses[1].access = GPU_WRITE_OWN;
    REFUSE(&pass, "pass pass_shift races with itself", "both is used as read own and as write own");
    pass.uses[1].access = GPU_READ_OWN;
    OK(gpu_passes_check(checked_bench.device, &pass, 1));
    gpu_buffer_destroy(checked_bench.device, &both);
}

static void a_buffer_that_cannot_serve_its_use_is_refused(void **state)
{
    gpu_buffer *plain = create_buffer(&checked_bench, "plain", 64),
               *two = create_buffer(&checked_bench, "two", 64);
    gpu_pass pass = make_pass(&checked_bench, TEXELS, 64, plain, two);
    if (gpu_device_prefers_texels(checked_bench.device))
        REFUSE(&pass, "pass pass_read_texels", "fetches texels from",
               "plain was created without a texel view");
    pass = shift_pass(&checked_bench, plain, two);
    pass.dispatch_size.arguments = plain;
    pass.dispatch_size.argument_offset = 64 * 4 - 8;
    REFUSE(&pass, "pass pass_shift", "plain has no dispatch arguments at byte 248");
    pass.dispatch_size.argument_offset = 2;
    REFUSE(&pass, "pass pass_shift", "plain has no dispatch arguments at byte 2");
    gpu_buffer_destroy(checked_bench.device, &plain);
    gpu_buffer_destroy(checked_bench.device, &two);
}

static void a_binding_over_the_storage_range_is_refused(void **state)
{
    bench small;
    open_bench(&small, true);
    gpu_buffer *large = create_buffer(&small, "large", 2000),
               *two = create_buffer(&small, "two", 500);
    const gpu_pass pass = shift_pass(&small, large, two), back = shift_pass(&small, two, large);
    OK(gpu_passes_check(small.device, &pass, 1));
    gpu_device_limit_storage_range(small.device, 4096);
    refuse(&small, &pass, (const char *const[]){"large binds 0.0 MiB in pass_shift", NULL});
    OK(gpu_passes_check(small.device, &back, 1)); /* own elements are bound part by part */
    gpu_buffer_destroy(small.device, &large);
    gpu_buffer_destroy(small.device, &two);
    assert_int_equal(close_bench(&small), 0);
}

static void a_pipeline_without_a_valid_shader_is_refused_by_name(void **state)
{
    static const uint32_t nonsense[8] = {1, 2, 3};
    gpu_pipeline *pipeline = NULL;
    const gpu_shader shader = {.name = "nonsense", .plain = {"nonsense.comp", nonsense, 8}};
    const gpu_pipeline_def def = {.shader = &shader};
    checked_bench.log[0] = '\0';
    assert_int_equal(gpu_pipeline_create(checked_bench.device, &def, &pipeline),
                     WEIR_ERROR_ARGUMENT);
    assert_null(pipeline);
    assert_bench_logged(&checked_bench, "shader nonsense: not SPIR-V");
}

/* ---- barriers ------------------------------------------------------------------------------- */

static void dependent_passes_see_what_earlier_ones_wrote(void **state)
{
    gpu_buffer *a = create_buffer(&checked_bench, "a", RING),
               *c = create_buffer(&checked_bench, "c", RING);
    const gpu_pass passes[2] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, c, a)};
    for (int repeat = 0; repeat < 5; repeat++) {
        fill_ascending(&checked_bench, a);
        OK(gpu_record_begin(checked_bench.device));
        for (int k = 0; k < 20; k++)
            OK(gpu_record_passes(checked_bench.device, passes, 2, 0, NULL));
        uint64_t ticket;
        OK(gpu_record_submit(checked_bench.device, &ticket));
        OK(gpu_ticket_wait(checked_bench.device, ticket));
        assert_shifted(&checked_bench, a, 40);
    }
    gpu_buffer_destroy(checked_bench.device, &a);
    gpu_buffer_destroy(checked_bench.device, &c);
    assert_valid(&checked_bench);
}

static void submissions_see_what_earlier_ones_wrote_without_waiting(void **state)
{
    gpu_buffer *a = create_buffer(&checked_bench, "a", RING),
               *c = create_buffer(&checked_bench, "c", RING);
    const gpu_pass passes[2] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, c, a)};
    uint64_t ticket = 0, last = 0;
    fill_ascending(&checked_bench, a);
    for (int k = 0; k < 50; k++) { /* many more than command slots */
        OK(gpu_record_begin(checked_bench.device));
        OK(gpu_record_passes(checked_bench.device, passes, 2, 0, NULL));
        OK(gpu_record_submit(checked_bench.device, &ticket));
        assert_true(ticket > last);
        last = ticket;
    }
    OK(gpu_ticket_wait(checked_bench.device, ticket));
    assert_true(gpu_ticket_done(checked_bench.device, ticket));
    assert_true(gpu_ticket_done(checked_bench.device, ticket - 40));
    assert_shifted(&checked_bench, a, 100);
    gpu_buffer_destroy(checked_bench.device, &a);
    gpu_buffer_destroy(checked_bench.device, &c);
    assert_valid(&checked_bench);
}

static void copies_and_fills_are_ordered_with_passes(void **state)
{
    gpu_buffer *a = create_buffer(&checked_bench, "a", RING),
               *c = create_buffer(&checked_bench, "c", RING);
    const gpu_pass pass = shift_pass(&checked_bench, a, c);
    uint64_t ticket;
    OK(gpu_record_begin(checked_bench.device));
    OK(gpu_record_fill(checked_bench.device, a, 5));
    OK(gpu_record_passes(checked_bench.device, &pass, 1, 0, NULL));
    OK(gpu_record_copy(checked_bench.device, &(gpu_copy){.from = c, .to = a, .size = 4 * RING}));
    OK(gpu_record_fill(checked_bench.device, c, 9));
    OK(gpu_record_passes(checked_bench.device, &pass, 1, 0, NULL));
    OK(gpu_record_submit(checked_bench.device, &ticket));
    OK(gpu_ticket_wait(checked_bench.device, ticket));
    uint32_t *words = download_words(&checked_bench, c);
    for (uint32_t i = 0; i < RING; i++)
        assert_int_equal(words[i], 7);
    free(words);
    gpu_buffer_destroy(checked_bench.device, &a);
    gpu_buffer_destroy(checked_bench.device, &c);
    assert_valid(&checked_bench);
}

/* Between the first two passes only a barrier for compute passes is needed; copies and indirect
 * arguments need another one, although what they read was written before that barrier. */
static void copies_and_arguments_see_what_was_written_before_a_compute_barrier(void **state)
{
    enum { COUNT = 64 };
    gpu_device *device = checked_bench.device;
    gpu_buffer *all[5]; /* zeros; the arguments and the data of the chain; a copy */
    static const char *const names[5] = {"zeros", "ones", "twos", "threes", "copy"};
    for (int i = 0; i < 5; i++)
        all[i] = create_buffer(&checked_bench, names[i], COUNT);
    gpu_pass passes[3];
    for (int i = 0; i < 3; i++)
        passes[i] = shift_pass(&checked_bench, all[i], all[i + 1]);
    passes[2].dispatch_size.arguments = all[1]; /* 1 x 1 x 1 workgroups */
    uint64_t ticket;
    OK(gpu_record_begin(device));
    OK(gpu_record_passes(device, passes, 3, 0, NULL));
    OK(gpu_record_submit(device, &ticket));
    OK(gpu_record_begin(device));
    OK(gpu_record_passes(device, passes, 2, 0, NULL));
    OK(gpu_record_copy(device, &(gpu_copy){.from = all[1], .to = all[4], .size = 4 * COUNT}));
    OK(gpu_record_submit(device, &ticket));
    OK(gpu_ticket_wait(device, ticket));
    for (uint32_t i = 1; i < 5; i++) {
        uint32_t *words = download_words(&checked_bench, all[i]);
        for (uint32_t k = 0; k < COUNT; k++)
            assert_int_equal(words[k], i == 4 ? 1 : i);
        free(words);
        gpu_buffer_destroy(device, &all[i]);
    }
    gpu_buffer_destroy(device, &all[0]);
    assert_valid(&checked_bench);
}

static void add_line(void *user, const char *line)
{
    char *text = user;
    assert_null(strchr(line, '\n'));
    strcat(strcat(text, line), "\n");
}

static void explain(const gpu_pass *passes, uint32_t count, char *text)
{
    gpu_explainer e = {.write = add_line, .user = text};
    gpu_explain_passes(&e, "a list", passes, count);
    OK(gpu_explain_end(&e, gpu_device_log(checked_bench.device)));
}

static void only_passes_that_depend_get_a_barrier(void **state)
{
    gpu_buffer *a = create_buffer(&checked_bench, "a", 64),
               *c = create_buffer(&checked_bench, "c", 64);
    gpu_buffer *d = create_buffer(&checked_bench, "d", 64),
               *e = create_buffer(&checked_bench, "e", 64);
    char text[2048] = "";
    const gpu_pass apart[3] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, a, d),
                               visit_pass(&checked_bench, e)};
    explain(apart, 3, text);
    assert_null(strstr(text, "barrier"));
    gpu_pass chain[3] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, c, d),
                         shift_pass(&checked_bench, e, c)};
    chain[1].group = chain[2].group = "twice";
    chain[1].repeat = 2;
    text[0] = '\0';
    explain(chain, 3, text);
    assert_non_null(strstr(text, "to (c) write own\nrepeat 2 times: twice\n    barrier (c)\n"));
    assert_non_null(
        strstr(text, "to (d) write own\n    barrier (c)\n")); /* written after it was read */
    for (gpu_buffer **all[] = {&a, &c, &d, &e}, ***p = all; p < all + 4; p++)
        gpu_buffer_destroy(checked_bench.device, *p);
}

/* Declared accesses are checked_bench against the shader, so no declaration can hide a hazard
 * between passes. This test hides one by force, to show that validation would detect it. */
static void validation_sees_a_barrier_that_is_missing(void **state)
{
    bench b;
    uint64_t ticket;
    open_bench(&b, true);
    gpu_buffer *a = create_buffer(&b, "a", RING), *c = create_buffer(&b, "c", RING);
    const gpu_pass write = shift_pass(&b, a, c), read = shift_pass(&b, c, a);
    OK(gpu_record_begin(b.device));
    OK(gpu_record_passes(b.device, &write, 1, 0, NULL));
    assert_int_equal(gpu_device_validation_count(b.device), 0);
    a->read_epoch = a->write_epoch = c->read_epoch = c->write_epoch = 0; /* untouched */
    OK(gpu_record_passes(b.device, &read, 1, 0, NULL));
    OK(gpu_record_submit(b.device, &ticket));
    OK(gpu_ticket_wait(b.device, ticket));
    assert_true(gpu_device_validation_count(b.device) > 0);
    assert_bench_logged(&b, "SYNC-HAZARD");
    gpu_buffer_destroy(b.device, &a);
    gpu_buffer_destroy(b.device, &c);
    close_bench(&b);
}

/* ---- chunks --------------------------------------------------------------------------------- */

typedef struct adding {
    gpu_buffer *source, *totals, *count;
    gpu_pass pass;
} adding;

static adding make_adding(bench *b, uint32_t room, uint32_t count)
{
    adding a = {create_buffer(b, "source", room),
                create_buffer(b, "totals", room),
                create_buffer(b, "count", 1),
                {0}};
    fill_ascending(b, a.source);
    OK(gpu_buffer_upload(b->device, a.count, 0, &count, 4));
    a.pass = gpu_pass_make(b->pipelines[ADD], elements(room));
    gpu_pass_bind_all(&a.pass, (gpu_buffer *const[]){a.source, a.totals, a.count}, 3);
    return a;
}

static void free_adding(bench *b, adding *a)
{
    gpu_buffer_destroy(b->device, &a->source);
    gpu_buffer_destroy(b->device, &a->totals);
    gpu_buffer_destroy(b->device, &a->count);
}

static void assert_added(bench *b, const adding *a, uint32_t count, uint32_t times)
{
    uint32_t *totals = download_words(b, a->totals);
    for (uint32_t i = 0; i < gpu_buffer_count(a->totals); i++) {
        uint32_t expected = 0;
        for (uint32_t k = 0; k < times && i < count; k++)
            expected = 3 * expected + 7 * i + i;
        assert_int_equal(totals[i], expected);
    }
    free(totals);
}

/* A range of the last chunk, a whole number of chunks, less than one chunk. */
static const uint32_t capacities[] = {100, 1024, 4096, 5000};

static void a_pass_in_chunks_gives_what_it_gives_whole(void **state)
{
    for (int limited = 0; limited < 2; limited++) {
        bench b;
        open_bench(&b, true);
        if (limited) gpu_device_limit_storage_range(b.device, 4096);
        for (size_t i = 0; i < BASE_COUNT(capacities); i++) {
            adding a = make_adding(&b, capacities[i], capacities[i] - 30);
            for (int k = 0; k < 3; k++)
                OK(gpu_run_passes(b.device, &a.pass, 1));
            assert_added(&b, &a, capacities[i] - 30, 3);
            free_adding(&b, &a);
        }
        assert_int_equal(close_bench(&b), 0);
    }
}

static void a_dispatch_counted_on_the_gpu_gives_the_same_in_chunks(void **state)
{
    static const uint32_t arguments[5] = {99, 99, (2970 + 63) / 64, 1, 1};
    for (int limited = 0; limited < 2; limited++) {
        bench b;
        open_bench(&b, true);
        if (limited) gpu_device_limit_storage_range(b.device, 4096);
        adding a = make_adding(&b, 5000, 2970);
        gpu_buffer *counted = create_buffer(&b, "counted", 5);
        OK(gpu_buffer_upload(b.device, counted, 0, arguments, sizeof arguments));
        a.pass.dispatch_size.arguments = counted;
        a.pass.dispatch_size.argument_offset = 8;
        OK(gpu_run_passes(b.device, &a.pass, 1));
        assert_added(&b, &a, 2970, 1);
        gpu_buffer_destroy(b.device, &counted);
        free_adding(&b, &a);
        assert_int_equal(close_bench(&b), 0);
    }
}

static void a_chunk_is_bound_as_long_as_it_is_now(void **state)
{
    bench b;
    open_bench(&b, true);
    gpu_device_limit_storage_range(b.device, 4096);
    adding a = make_adding(&b, 5000, 5000);
    a.pass.dispatch_size.count = 300;
    OK(gpu_run_passes(b.device, &a.pass, 1));
    a.pass.dispatch_size.count = 5000;
    OK(gpu_run_passes(b.device, &a.pass, 1));
    uint32_t *totals = download_words(&b, a.totals);
    for (uint32_t i = 0; i < 5000; i++)
        assert_int_equal(totals[i], (i < 300 ? 4u : 1u) * 8 * i);
    free(totals);
    free_adding(&b, &a);
    assert_int_equal(close_bench(&b), 0);
}

/* ---- parts ---------------------------------------------------------------------------------- */

/* Returns the number of submissions of one run of a pass of unknown duration: each element counts
 * as 1 us. */
static uint64_t submissions_of(bench *b, const gpu_pass *pass)
{
    uint64_t before = b->device->next_ticket;
    OK(gpu_run_passes(b->device, pass, 1));
    return b->device->next_ticket - before;
}

#define LONG 5000u /* elements: 5 ms in 79 workgroups, or in four chunks of 16 and one of 15 */

static void a_long_pass_goes_in_parts_and_gives_the_same(void **state)
{
    static const struct {
        double budget_ms;
        uint32_t whole, chunked;
    } cases[] = {{1e9, 1, 1}, {6.0, 1, 1}, {4.0, 3, 2}, {0.9, 12, 15}, {1e-9, 79, 80}};
    for (size_t i = 0; i < 2 * BASE_COUNT(cases); i++) {
        bench b;
        open_bench(&b, true);
        gpu_device_limit_submission(b.device, cases[i / 2].budget_ms);
        if (i % 2) gpu_device_limit_storage_range(b.device, 4096);
        adding a = make_adding(&b, LONG, LONG - 30);
        uint32_t expected = i % 2 ? cases[i / 2].chunked : cases[i / 2].whole;
        for (int k = 0; k < 3; k++)
            assert_int_equal(submissions_of(&b, &a.pass), expected);
        assert_added(&b, &a, LONG - 30, 3);
        free_adding(&b, &a);
        assert_int_equal(close_bench(&b), 0);
    }
}

/* Models the passes of a scene with emitters: the capacity exceeds the count. The kernel does not
 * check the number of elements. */
static void parts_have_the_workgroups_that_the_device_counted_and_no_others(void **state)
{
    static const uint32_t groups[] = {0, 1, 2, 7, 46, 47};
    for (size_t i = 0; i < 2 * BASE_COUNT(groups); i++) {
        bench b;
        open_bench(&b, true);
        const uint32_t n = groups[i / 2], arguments[4] = {99, n, 1, 1};
        gpu_buffer *counted = create_buffer(&b, "counted", 4), *to = create_buffer(&b, "to", RING);
        gpu_buffer *from = create_buffer(&b, "from", RING),
                   *visits = create_buffer(&b, "visits", RING);
        gpu_pass passes[2] = {visit_pass(&b, visits), shift_pass(&b, from, to)};
        passes[0].dispatch_size.arguments = passes[1].dispatch_size.arguments = counted;
        passes[0].dispatch_size.argument_offset = passes[1].dispatch_size.argument_offset = 4;
        fill_ascending(&b, from);
        OK(gpu_buffer_upload(b.device, counted, 0, arguments, sizeof arguments));
        gpu_device_limit_submission(b.device, i % 2 ? 1e-9 : 1.5); /* 3 ms: 47 parts, or 5 */
        for (int k = 0; k < 2; k++)
            assert_int_equal(submissions_of(&b, &passes[k]), i % 2 ? 47 : 5);
        uint32_t *visited = download_words(&b, visits), *shifted = download_words(&b, to);
        for (uint32_t e = 0; e < RING; e++) {
            assert_int_equal(visited[e], e < 64 * n);
            assert_int_equal(shifted[e], e < 64 * n ? 7 * ((e + 1) % RING) + 1 : 0);
        }
        free(visited);
        free(shifted);
        gpu_buffer_destroy(b.device, &counted);
        gpu_buffer_destroy(b.device, &from);
        gpu_buffer_destroy(b.device, &to);
        gpu_buffer_destroy(b.device, &visits);
        assert_int_equal(close_bench(&b), 0);
    }
}

/* Earlier and later passes see all writes of a pass in parts, and it sees all of theirs. */
static void passes_in_parts_depend_on_each_other(void **state)
{
    static const double budgets_ms[] = {0.5, 2.0, 1e9};
    gpu_buffer *a = create_buffer(&checked_bench, "a", RING),
               *c = create_buffer(&checked_bench, "c", RING);
    gpu_pass passes[2] = {shift_pass(&checked_bench, a, c), shift_pass(&checked_bench, c, a)};
    for (size_t i = 0; i < BASE_COUNT(budgets_ms); i++) {
        fill_ascending(&checked_bench, a);
        gpu_device_limit_submission(checked_bench.device, budgets_ms[i]);
        OK(gpu_record_begin(checked_bench.device));
        for (uint32_t k = 0; k < 10; k++)
            OK(gpu_record_passes(checked_bench.device, passes, 2, k, NULL));
        OK(gpu_record_finish(checked_bench.device));
        assert_shifted(&checked_bench, a, 20);
    }
    gpu_device_limit_submission(checked_bench.device, GPU_SUBMISSION_MS);
    gpu_buffer_destroy(checked_bench.device, &a);
    gpu_buffer_destroy(checked_bench.device, &c);
    assert_valid(&checked_bench);
}

/* ---- dispatch sizes ------------------------------------------------------------------------- */

static void more_workgroups_than_one_axis_holds_reach_every_element_once(void **state)
{
    static const uint32_t counts[] = {5000001u, 12600001u};
    static const double budgets_ms[] = {1e9, 12000.0}; /* whole, and in three parts */
    for (size_t i = 0; i < BASE_COUNT(counts); i++) {
        gpu_buffer *visits = create_buffer(&checked_bench, "visits", counts[i]);
        const gpu_pass pass = visit_pass(&checked_bench, visits);
        assert_true(counts[i] / 64u / (i ? 3u : 1u) > 65535u);
        gpu_device_limit_submission(checked_bench.device, budgets_ms[i]);
        assert_int_equal(submissions_of(&checked_bench, &pass), i ? 3 : 1);
        assert_visited_once(&checked_bench, visits);
        gpu_buffer_destroy(checked_bench.device, &visits);
    }
    gpu_device_limit_submission(checked_bench.device, GPU_SUBMISSION_MS);
}

static void an_invocation_works_through_its_share(void **state)
{
    static const uint32_t counts[] = {1, 4, 5, 6, 319, 320, 321, 100003};
    for (size_t i = 0; i < BASE_COUNT(counts); i++) {
        gpu_buffer *visits = create_buffer(&checked_bench, "visits", counts[i]);
        gpu_pass pass = visit_pass(&checked_bench, visits);
        pass.pipeline = checked_bench.pipelines[VISIT_FIVE];
        pass.dispatch_size.per_invocation = 5;
        OK(gpu_run_passes(checked_bench.device, &pass, 1));
        assert_visited_once(&checked_bench, visits);
        gpu_buffer_destroy(checked_bench.device, &visits);
    }
}

static void a_group_repeats_as_one_and_tells_which_turn_it_is(void **state)
{
    static const char group[] = "turns";
    gpu_buffer *trace = NULL;
    OK(gpu_buffer_create(checked_bench.device,
                         &(gpu_buffer_def){.name = "trace", .stride = 16, .count = 32}, &trace));
    gpu_pass passes[4];
    for (uint32_t i = 0; i < 4; i++)
        passes[i] = trace_pass(&checked_bench, trace, 10 + i);
    passes[1].group = passes[2].group = group;
    passes[1].repeat = 3;
    uint64_t ticket;
    OK(gpu_record_begin(checked_bench.device));
    OK(gpu_record_passes(checked_bench.device, passes, 4, 6, NULL));
    OK(gpu_record_submit(checked_bench.device, &ticket));
    OK(gpu_ticket_wait(checked_bench.device, ticket));
    static const uint32_t expected[][2] = {{0, 10}, {0, 11}, {0, 12}, {1, 11},
                                           {1, 12}, {2, 11}, {2, 12}, {0, 13}};
    uint32_t(*entries)[4] = (void *)download_words(&checked_bench, trace);
    assert_int_equal(entries[0][0], 8);
    for (uint32_t k = 0; k < 8; k++) {
        assert_int_equal(entries[k + 1][0], 6);
        assert_int_equal(entries[k + 1][1], expected[k][0]);
        assert_int_equal(entries[k + 1][2], 0);
        assert_int_equal(entries[k + 1][3], expected[k][1]);
    }
    free(entries);
    gpu_buffer_destroy(checked_bench.device, &trace);
    assert_valid(&checked_bench);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_wrong_binding_is_refused_by_pass_and_name),
        cmocka_unit_test(a_shader_and_its_table_that_disagree_are_refused),
        cmocka_unit_test(a_pass_that_gathers_what_it_writes_is_refused),
        cmocka_unit_test(a_buffer_that_cannot_serve_its_use_is_refused),
        cmocka_unit_test(a_binding_over_the_storage_range_is_refused),
        cmocka_unit_test(a_pipeline_without_a_valid_shader_is_refused_by_name),
        cmocka_unit_test(dependent_passes_see_what_earlier_ones_wrote),
        cmocka_unit_test(submissions_see_what_earlier_ones_wrote_without_waiting),
        cmocka_unit_test(copies_and_fills_are_ordered_with_passes),
        cmocka_unit_test(copies_and_arguments_see_what_was_written_before_a_compute_barrier),
        cmocka_unit_test(only_passes_that_depend_get_a_barrier),
        cmocka_unit_test(validation_sees_a_barrier_that_is_missing),
        cmocka_unit_test(a_pass_in_chunks_gives_what_it_gives_whole),
        cmocka_unit_test(a_dispatch_counted_on_the_gpu_gives_the_same_in_chunks),
        cmocka_unit_test(a_chunk_is_bound_as_long_as_it_is_now),
        cmocka_unit_test(a_long_pass_goes_in_parts_and_gives_the_same),
        cmocka_unit_test(parts_have_the_workgroups_that_the_device_counted_and_no_others),
        cmocka_unit_test(passes_in_parts_depend_on_each_other),
        cmocka_unit_test(more_workgroups_than_one_axis_holds_reach_every_element_once),
        cmocka_unit_test(an_invocation_works_through_its_share),
        cmocka_unit_test(a_group_repeats_as_one_and_tells_which_turn_it_is),
    };
    return cmocka_run_group_tests(tests, open_checked, close_checked);
}
