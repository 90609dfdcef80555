/* Ranks that are threads of one process. Every call is a meeting of all ranks: each brings its
 * part, the last one completes the result, and each takes it. The group's memory is guarded by its
 * mutex.
 *
 * A rank that waits polls, and gives up after the group's patience; it names a rank that is not
 * there. */
#include "comm_internal.h"

#define MAX_MESSAGES 4u /* of one rank in one exchange */

typedef enum call { CALL_EXCHANGE, CALL_COMBINE, CALL_SUM } call;
static const char *const call_names[] = {"exchange", "combine", "sum"};

typedef struct posted {
    comm_message messages[MAX_MESSAGES];
    uint32_t count;
} posted;

typedef struct group {
    base_mutex *mutex;
    uint32_t size, users;
    double patience_s;
    bool aborted;
    char reason[COMM_REASON]; /* why */
    uint64_t meeting;         /* number of the running meeting */
    uint32_t arrived, taken;  /* ranks that have brought their part; that have taken the result */
    bool present[COMM_MAX_RANKS];
    call call;
    uint64_t bytes; /* of the arrays that are summed */
    comm_numbers numbers;
    uint8_t *array; /* their sums */
    posted sent[COMM_MAX_RANKS];
} group;

typedef struct thread_rank {
    group *group;
    uint32_t rank;
    uint64_t meetings; /* in which this rank took part */
    char why[COMM_REASON];
} thread_rank;

/* Ends the calls of all ranks, with this rank's reason. */
static void end_group(thread_rank *r)
{
    if (!r->group->aborted) memcpy(r->group->reason, r->why, sizeof r->why);
    r->group->aborted = true;
}

static bool fail(thread_rank *r, const char *words)
{
    snprintf(r->why, sizeof r->why, "%s", words);
    end_group(r);
    return false;
}

static bool fail_with_group(thread_rank *r)
{
    return fail(r, r->group->reason);
}

/* ---- meetings ------------------------------------------------------------------------------- */

/* Names a rank that is not there. */
static bool fail_silent(thread_rank *r)
{
    const group *g = r->group;
    uint32_t silent = 0;
    while (silent + 1 < g->size && g->present[silent])
        silent++;
    snprintf(r->why, sizeof r->why, "rank %u was silent for %g s in call %s", silent, g->patience_s,
             call_names[g->call]);
    end_group(r);
    return false;
}

/* Waits, with the mutex locked, until `*counter` is at least `enough` or the meeting is another
 * one. */
static bool wait_for(thread_rank *r, const uint32_t *counter, uint32_t enough, uint64_t meeting)
{
    group *g = r->group;
    const double start_s = base_time_s();
    for (uint32_t polls = 0; *counter < enough && g->meeting == meeting; polls++) {
        if (g->aborted) return fail_with_group(r);
        const double waited_s = base_time_s() - start_s;
        if (waited_s > g->patience_s) return fail_silent(r);
        base_mutex_unlock(g->mutex);
        comm_pause(polls, waited_s);
        base_mutex_lock(g->mutex);
    }
    return true;
}

/* Begins a meeting with the mutex locked: waits until the last one is over. */
static bool enter(thread_rank *r, call own, uint64_t bytes)
{
    group *g = r->group;
    if (g->aborted) return fail_with_group(r);
    /* The last meeting is over once its number has changed. */
    const uint32_t never = 0;
    while (g->meeting < r->meetings)
        if (!wait_for(r, &never, 1, g->meeting)) return false;
    if (g->arrived == 0) {
        g->call = own;
        g->bytes = bytes;
        memset(g->present, 0, sizeof g->present);
        g->numbers = (comm_numbers){0};
        g->array = bytes ? base_alloc((size_t)bytes, 1) : NULL;
        if (bytes && !g->array) return fail(r, "not enough memory for an array of all ranks");
    }
    if (g->call == own && g->bytes == bytes) {
        g->present[r->rank] = true;
        r->meetings++;
        return true;
    }
    snprintf(r->why, sizeof r->why, "calls %s of %llu bytes, and another rank %s of %llu",
             call_names[own], (unsigned long long)bytes, call_names[g->call],
             (unsigned long long)g->bytes);
    end_group(r);
    return false;
}

/* Has brought its part: waits until all have. */
static bool meet(thread_rank *r)
{
    group *g = r->group;
    g->arrived++;
    return wait_for(r, &g->arrived, g->size, g->meeting);
}

/* Has taken the result. The last rank ends the meeting. */
static void leave(thread_rank *r)
{
    group *g = r->group;
    if (++g->taken < g->size) return;
    base_free(g->array);
    g->array = NULL;
    g->arrived = g->taken = 0;
    g->meeting++;
}

/* ---- the calls ------------------------------------------------------------------------------ */

static bool combine(void *user, comm_numbers *numbers)
{
    thread_rank *r = user;
    group *g = r->group;
    base_mutex_lock(g->mutex);
    bool done = enter(r, CALL_COMBINE, 0);
    if (done) {
        for (uint32_t i = 0; i < COMM_SUMS; i++)
            g->numbers.sum[i] += numbers->sum[i];
        for (uint32_t i = 0; i < COMM_MAXIMA; i++)
            if (numbers->max[i] > g->numbers.max[i]) g->numbers.max[i] = numbers->max[i];
        for (uint32_t i = 0; i < COMM_FLAGS; i++)
            g->numbers.any[i] |= numbers->any[i];
        done = meet(r);
    }
    if (done) {
        *numbers = g->numbers;
        leave(r);
    }
    base_mutex_unlock(g->mutex);
    return done;
}

static bool sum(void *user, uint32_t *words, uint64_t count)
{
    thread_rank *r = user;
    group *g = r->group;
    const size_t bytes = (size_t)count * sizeof *words;
    base_mutex_lock(g->mutex);
    bool done = enter(r, CALL_SUM, bytes);
    uint32_t *sums = (uint32_t *)(void *)g->array;
    for (uint64_t i = 0; i < count && done; i++)
        sums[i] += words[i];
    done = done && meet(r);
    if (done) {
        if (bytes > 0) memcpy(words, sums, bytes);
        leave(r);
    }
    base_mutex_unlock(g->mutex);
    return done;
}

/* Copies the message that `from` has sent to this rank. Its memory is its own until the meeting
 * ends. */
static bool take_message(thread_rank *r, comm_message *received)
{
    const posted *from = received->rank < r->group->size ? &r->group->sent[received->rank] : NULL;
    for (uint32_t i = 0; from && i < from->count; i++) {
        const comm_message *sent = &from->messages[i];
        if (sent->rank != r->rank || sent->tag != received->tag) continue;
        if (sent->size > received->size) {
            snprintf(
                r->why, sizeof r->why, "a message of %llu bytes from rank %u has room for %llu",
                (unsigned long long)sent->size, received->rank, (unsigned long long)received->size);
            end_group(r);
            return false;
        }
        if (sent->size > 0) memcpy(received->bytes, sent->bytes, (size_t)sent->size);
        received->size = sent->size;
        return true;
    }
    snprintf(r->why, sizeof r->why, "rank %u has sent no message %u", received->rank,
             received->tag);
    end_group(r);
    return false;
}

static bool exchange(void *user, const comm_message *sent, uint32_t sent_count,
                     comm_message *received, uint32_t received_count)
{
    thread_rank *r = user;
    group *g = r->group;
    base_mutex_lock(g->mutex);
    bool done = sent_count <= MAX_MESSAGES ? enter(r, CALL_EXCHANGE, 0)
                                           : fail(r, "too many messages in one exchange");
    if (done) {
        posted *own = &g->sent[r->rank];
        own->count = sent_count;
        memcpy(own->messages, sent, sent_count * sizeof *sent);
        done = meet(r);
    }
    for (uint32_t i = 0; i < received_count && done; i++)
        done = take_message(r, &received[i]);
    if (done) {
        const uint64_t meeting = g->meeting;
        leave(r);
        /* The others copy from this rank's memory until they have all left. */
        const uint32_t never = 0;
        done = g->meeting != meeting || wait_for(r, &never, 1, meeting);
    }
    base_mutex_unlock(g->mutex);
    return done;
}

static void abort_group(void *user, const char *reason)
{
    const thread_rank *r = user;
    group *g = r->group;
    base_mutex_lock(g->mutex);
    if (!g->aborted)
        snprintf(g->reason, sizeof g->reason, "rank %u has failed: %s", r->rank, reason);
    g->aborted = true;
    base_mutex_unlock(g->mutex);
}

/* ---- creation ------------------------------------------------------------------------------- */

static void release_group(group *g)
{
    base_mutex_lock(g->mutex);
    const bool last = --g->users == 0;
    base_mutex_unlock(g->mutex);
    if (!last) return;
    base_mutex_destroy(&g->mutex);
    base_free(g->array);
    base_free(g);
}

static void destroy(void *user)
{
    thread_rank *r = user;
    release_group(r->group);
    base_free(r);
}

static weir_result create_rank(const weir_log *log, group *g, uint32_t rank, comm **out)
{
    thread_rank *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a communicator");
    *made = (thread_rank){.group = g, .rank = rank};
    const comm_def def = {.size = g->size,
                          .rank = rank,
                          .user = made,
                          .exchange = exchange,
                          .combine = combine,
                          .sum = sum,
                          .abort = abort_group,
                          .destroy = destroy,
                          .why = &made->why};
    g->users++;
    return comm_create(log, &def, out);
}

weir_result comm_threads_create(const weir_log *log, uint32_t count, double patience_s,
                                comm *out[COMM_MAX_RANKS])
{
    if (count < 1 || count > COMM_MAX_RANKS)
        return base_fail(log, WEIR_ERROR_ARGUMENT, "%u ranks: expected 1 to %u", count,
                         COMM_MAX_RANKS);
    group *g = base_alloc(1, sizeof *g);
    base_mutex *mutex = base_mutex_create();
    if (!g || !mutex) {
        base_mutex_destroy(&mutex);
        base_free(g);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for %u ranks", count);
    }
    *g = (group){.mutex = mutex, .size = count, .users = 1, .patience_s = patience_s};
    memset(out, 0, count * sizeof *out);
    weir_result result = WEIR_OK;
    for (uint32_t i = 0; i < count && result == WEIR_OK; i++)
        result = create_rank(log, g, i, &out[i]);
    for (uint32_t i = 0; i < count && result != WEIR_OK; i++)
        comm_destroy(&out[i]);
    release_group(g);
    return result;
}
