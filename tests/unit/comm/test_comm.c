/* The communicator: what ranks exchange and combine arrives, whatever their number, and a rank that
 * fails, is silent or calls something else ends the calls of all. */
#include "comm.h"

#include <setjmp.h>

#include <cmocka.h>

#define OK(call) assert_int_equal((call), WEIR_OK)
#define MOST 5u

/* What the ranks have logged, from all threads. */
static base_mutex *said_mutex;
static char said[4096];

static void keep(void *user, weir_log_level level, const char *text)
{
    base_mutex_lock(said_mutex);
    const size_t used = strlen(said);
    snprintf(said + used, sizeof said - used, "%s\n", text);
    base_mutex_unlock(said_mutex);
}

/* What one rank does; its result is checked by the test's thread. */
typedef struct rank_job {
    comm *c;
    bool (*run)(struct rank_job *job);
    bool right;
} rank_job;

static void run_job(void *user)
{
    rank_job *job = user;
    job->right = job->run(job);
}

/* Runs a function on `count` ranks; returns the number of those that returned true. */
static uint32_t on_ranks(uint32_t count, double patience_s, const weir_log *log,
                         bool (*run)(rank_job *job))
{
    comm *comms[COMM_MAX_RANKS];
    rank_job jobs[MOST];
    base_thread *threads[MOST];
    uint32_t right = 0;
    OK(comm_threads_create(log, count, patience_s, comms));
    for (uint32_t i = 0; i < count; i++) {
        jobs[i] = (rank_job){.c = comms[i], .run = run};
        assert_non_null(threads[i] = base_thread_start(run_job, &jobs[i]));
    }
    for (uint32_t i = 0; i < count; i++) {
        base_thread_join(&threads[i]);
        right += jobs[i].right;
        comm_destroy(&comms[i]);
    }
    return right;
}

/* ---- numbers -------------------------------------------------------------------------------- */

static bool combine_often(rank_job *job)
{
    const uint64_t n = comm_size(job->c), r = comm_rank(job->c);
    bool right = true;
    for (uint64_t k = 0; k < 300 && right; k++) {
        comm_numbers numbers = {.sum = {r + k, UINT64_MAX}, .max = {r * k, 7}, .any = {1u << r, 0}};
        right = comm_combine(job->c, &numbers) == WEIR_OK;
        right = right && numbers.sum[0] == n * (n - 1) / 2 + n * k && numbers.sum[1] == 0 - n &&
                numbers.sum[2] == 0 && numbers.max[0] == (n - 1) * k && numbers.max[1] == 7 &&
                numbers.any[0] == (1u << n) - 1 && numbers.any[1] == 0;
    }
    return right;
}

static bool sum_often(rank_job *job)
{
    enum { WORDS = 5000 };
    static uint32_t words[MOST][WORDS];
    const uint32_t n = comm_size(job->c), r = comm_rank(job->c);
    bool right = true;
    for (uint32_t k = 0; k < 20 && right; k++) {
        for (uint32_t i = 0; i < WORDS; i++)
            words[r][i] = 0xfffffff0u + r * i;
        right = comm_sum(job->c, words[r], WORDS) == WEIR_OK;
        for (uint32_t i = 0; i < WORDS && right; i++)
            right = words[r][i] == n * 0xfffffff0u + n * (n - 1) / 2 * i;
    }
    return right && comm_sum(job->c, NULL, 0) == WEIR_OK;
}

static bool agree(rank_job *job)
{
    const bool last = comm_rank(job->c) + 1 == comm_size(job->c);
    return comm_agree(job->c, WEIR_OK) == WEIR_OK &&
           comm_agree(job->c, last ? WEIR_ERROR_MEMORY : WEIR_OK) == WEIR_ERROR_MEMORY;
}

static void ranks_combine_whole_numbers(void **state)
{
    for (uint32_t n = 1; n <= MOST; n++) {
        assert_int_equal(on_ranks(n, 10, NULL, combine_often), n);
        assert_int_equal(on_ranks(n, 10, NULL, sum_often), n);
        assert_int_equal(on_ranks(n, 10, NULL, agree), n);
    }
}

/* ---- messages ------------------------------------------------------------------------------- */

/* Neighbours in a ring: with two ranks both are the same, with one the rank itself. */
static bool exchange_in_a_ring(rank_job *job)
{
    enum { LEFT, RIGHT, ROOM = 4000 };
    const uint32_t n = comm_size(job->c), r = comm_rank(job->c);
    uint32_t to[2][ROOM], from[2][ROOM];
    bool right = true;
    for (uint32_t k = 0; k < 100 && right; k++) {
        const uint32_t count[2] = {(r * 37 + k * 13) % ROOM, (r * 91 + k * 7) % ROOM};
        for (uint32_t side = 0; side < 2; side++)
            for (uint32_t i = 0; i < count[side]; i++)
                to[side][i] = r << 24 | side << 20 | (i + k);
        const uint32_t left = (r + n - 1) % n, right_rank = (r + 1) % n;
        /* a message's tag is the direction in which it travels */
        const comm_message sent[2] = {{left, LEFT, to[LEFT], 4ull * count[LEFT]},
                                      {right_rank, RIGHT, to[RIGHT], 4ull * count[RIGHT]}};
        comm_message got[2] = {{right_rank, LEFT, from[LEFT], sizeof from[LEFT]},
                               {left, RIGHT, from[RIGHT], sizeof from[RIGHT]}};
        right = comm_exchange(job->c, sent, 2, got, 2) == WEIR_OK;
        memset(to, 0xee, sizeof to); /* its memory is this rank's own again */
        for (uint32_t side = 0; side < 2 && right; side++) {
            const uint32_t rank = got[side].rank;
            const uint32_t want =
                side == LEFT ? (rank * 37 + k * 13) % ROOM : (rank * 91 + k * 7) % ROOM;
            right = got[side].size == 4ull * want;
            for (uint32_t i = 0; i < want && right; i++)
                right = from[side][i] == (rank << 24 | side << 20 | (i + k));
        }
    }
    return right;
}

static void messages_arrive_whole_at_the_side_for_which_they_are_meant(void **state)
{
    for (uint32_t n = 1; n <= MOST; n++)
        assert_int_equal(on_ranks(n, 10, NULL, exchange_in_a_ring), n);
}

/* Arrays of different lengths, one of them longer than a piece, and one empty. */
static bool gather_at_rank_0(rank_job *job)
{
    const uint32_t n = comm_size(job->c), r = comm_rank(job->c);
    const uint32_t own_count = r == 1 ? 17u << 20 : r == 2 ? 0 : 1000 + r;
    uint32_t counts[COMM_MAX_RANKS], total = 0, at = 0;
    uint32_t *own = base_alloc(own_count, sizeof *own), *all = NULL;
    bool right = comm_share_counts(job->c, own_count, counts) == WEIR_OK;
    for (uint32_t i = 0; i < own_count; i++)
        own[i] = r << 28 | i;
    for (uint32_t k = 0; k < n; k++)
        total += counts[k];
    if (r == 0) all = base_alloc(total, sizeof *all);
    right = right && comm_gather(job->c, own, sizeof *own, counts, all) == WEIR_OK;
    for (uint32_t k = 0; k < n && r == 0; k++)
        for (uint32_t i = 0; i < counts[k] && right; i++)
            right = all[at++] == (k << 28 | i);
    base_free(own);
    base_free(all);
    return right;
}

static void rank_0_gathers_arrays_in_the_order_of_the_ranks(void **state)
{
    for (uint32_t n = 1; n <= MOST; n++)
        assert_int_equal(on_ranks(n, 10, NULL, gather_at_rank_0), n);
}

/* ---- failures ------------------------------------------------------------------------------- */

static bool last_is_silent(rank_job *job)
{
    comm_numbers numbers = {0};
    if (comm_rank(job->c) + 1 == comm_size(job->c)) return true;
    return comm_combine(job->c, &numbers) == WEIR_ERROR_IO &&
           comm_combine(job->c, &numbers) == WEIR_ERROR_IO;
}

static bool last_aborts(rank_job *job)
{
    comm_numbers numbers = {0};
    if (comm_rank(job->c) + 1 < comm_size(job->c))
        return comm_combine(job->c, &numbers) == WEIR_ERROR_IO;
    comm_abort(job->c, "it has no device");
    return comm_combine(job->c, &numbers) == WEIR_ERROR_IO;
}

static bool last_calls_another(rank_job *job)
{
    uint32_t word = 0;
    comm_numbers numbers = {0};
    if (comm_rank(job->c) + 1 < comm_size(job->c))
        return comm_combine(job->c, &numbers) == WEIR_ERROR_IO;
    return comm_sum(job->c, &word, 1) == WEIR_ERROR_IO;
}

static bool has_too_little_room(rank_job *job)
{
    uint32_t words[4] = {0};
    const uint32_t other = 1 - comm_rank(job->c);
    const comm_message sent = {other, 0, words, 16};
    comm_message got = {other, 0, words, 12};
    return comm_exchange(job->c, &sent, 1, &got, 1) == WEIR_ERROR_IO;
}

static void a_rank_that_fails_ends_the_calls_of_all(void **state)
{
    const struct {
        bool (*run)(rank_job *job);
        uint32_t ranks;
        const char *words;
    } cases[] = {
        {last_is_silent, 3, "rank 2 was silent for 0.2 s in call combine"},
        {last_aborts, 4, "rank 0 of 4: rank 3 has failed: it has no device"},
        {last_calls_another, 2, "calls "},
        {has_too_little_room, 2, "a message of 16 bytes from rank "},
    };
    for (size_t i = 0; i < BASE_COUNT(cases); i++) {
        const weir_log log = {.write = keep, .level = WEIR_LOG_ERROR};
        said[0] = '\0';
        assert_int_equal(on_ranks(cases[i].ranks, 0.2, &log, cases[i].run), cases[i].ranks);
        if (!strstr(said, cases[i].words)) fail_msg("%s: not in: %s", cases[i].words, said);
    }
}

static void the_number_of_ranks_is_checked(void **state)
{
    comm *comms[COMM_MAX_RANKS];
    assert_int_equal(comm_threads_create(NULL, 0, 1, comms), WEIR_ERROR_ARGUMENT);
    assert_int_equal(comm_threads_create(NULL, COMM_MAX_RANKS + 1, 1, comms), WEIR_ERROR_ARGUMENT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(ranks_combine_whole_numbers),
        cmocka_unit_test(messages_arrive_whole_at_the_side_for_which_they_are_meant),
        cmocka_unit_test(rank_0_gathers_arrays_in_the_order_of_the_ranks),
        cmocka_unit_test(a_rank_that_fails_ends_the_calls_of_all),
        cmocka_unit_test(the_number_of_ranks_is_checked),
    };
    said_mutex = base_mutex_create();
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    base_mutex_destroy(&said_mutex);
    return failed;
}
