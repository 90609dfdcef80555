/* The communicator: what all transports share. */
#include "comm_internal.h"

struct comm {
    comm_def def;
    weir_log log;
    comm_traffic traffic;
    bool failed;
};

weir_result comm_create(const weir_log *log, const comm_def *def, comm **out)
{
    comm *made = base_alloc(1, sizeof *made);
    if (!made) {
        def->destroy(def->user);
        return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a communicator");
    }
    made->def = *def;
    if (log) made->log = *log;
    *out = made;
    return WEIR_OK;
}

void comm_destroy(comm **pointer)
{
    if (!*pointer) return;
    (*pointer)->def.destroy((*pointer)->def.user);
    base_free(*pointer);
    *pointer = NULL;
}

uint32_t comm_size(const comm *c)
{
    return c->def.size;
}

uint32_t comm_rank(const comm *c)
{
    return c->def.rank;
}

/* Logs the reason of the first failure, for all ranks. */
static weir_result finish(comm *c, bool done)
{
    if (done) return WEIR_OK;
    if (!c->failed && c->def.rank == 0)
        base_log(&c->log, WEIR_LOG_ERROR, "rank %u of %u: %s", c->def.rank, c->def.size,
                 *c->def.why);
    c->failed = true;
    return WEIR_ERROR_IO;
}

/* Exchanges messages that the traffic does not count. */
static weir_result exchange(comm *c, const comm_message *sent, uint32_t sent_count,
                            comm_message *received, uint32_t received_count)
{
    return finish(c, !c->failed &&
                         c->def.exchange(c->def.user, sent, sent_count, received, received_count));
}

weir_result comm_exchange(comm *c, const comm_message *sent, uint32_t sent_count,
                          comm_message *received, uint32_t received_count)
{
    const double start_s = base_time_s();
    const weir_result result = exchange(c, sent, sent_count, received, received_count);
    c->traffic.waiting_s += base_time_s() - start_s;
    c->traffic.messages += sent_count;
    for (uint32_t i = 0; i < sent_count; i++)
        c->traffic.bytes += sent[i].size;
    return result;
}

/* Counts a call of all ranks that began at `start_s`. */
static weir_result finish_sum(comm *c, double start_s, bool done)
{
    c->traffic.waiting_s += base_time_s() - start_s;
    c->traffic.sums++;
    return finish(c, done);
}

weir_result comm_combine(comm *c, comm_numbers *numbers)
{
    const double start_s = base_time_s();
    if (c->failed) return WEIR_ERROR_IO;
    return finish_sum(c, start_s, c->def.combine(c->def.user, numbers));
}

weir_result comm_sum(comm *c, uint32_t *words, uint64_t count)
{
    const double start_s = base_time_s();
    if (c->failed) return WEIR_ERROR_IO;
    return finish_sum(c, start_s, c->def.sum(c->def.user, words, count));
}

comm_traffic comm_get_traffic(const comm *c)
{
    return c->traffic;
}

weir_result comm_agree(comm *c, weir_result result)
{
    comm_numbers numbers = {.max = {(uint64_t)result}};
    WEIR_RETURN_IF_ERROR(comm_combine(c, &numbers));
    return (weir_result)numbers.max[0];
}

/* ---- arrays of all ranks -------------------------------------------------------------------- */

weir_result comm_share_counts(comm *c, uint32_t own, uint32_t counts[COMM_MAX_RANKS])
{
    memset(counts, 0, COMM_MAX_RANKS * sizeof *counts);
    counts[c->def.rank] = own;
    return comm_sum(c, counts, c->def.size);
}

/* Transports limit the size of a message, so an array is sent in pieces. */
#define PIECE ((uint64_t)64 << 20)
#define GATHER_TAG 2u

/* Returns the part of an array of `size` bytes that begins at `first`, as a message. */
static comm_message piece_of(uint32_t rank, uint8_t *array, uint64_t size, uint64_t first)
{
    const uint64_t rest = size - first;
    return (comm_message){rank, GATHER_TAG, array + first, rest < PIECE ? rest : PIECE};
}

static weir_result gather_pieces(comm *c, const uint64_t sizes[COMM_MAX_RANKS], uint64_t first,
                                 uint8_t *all)
{
    comm_message received[COMM_MAX_RANKS], none = {0};
    uint32_t count = 0;
    for (uint32_t r = 0; r < c->def.size; r++) {
        if (r > 0 && first < sizes[r]) received[count++] = piece_of(r, all, sizes[r], first);
        all += sizes[r];
    }
    return exchange(c, &none, 0, received, count);
}

static weir_result send_piece(comm *c, const void *own, uint64_t size, uint64_t first)
{
    comm_message sent = {0};
    if (first < size) sent = piece_of(0, (uint8_t *)(uintptr_t)own, size, first);
    return exchange(c, &sent, first < size, NULL, 0);
}

weir_result comm_gather(comm *c, const void *own, size_t size, const uint32_t *counts, void *all)
{
    uint64_t sizes[COMM_MAX_RANKS] = {0}, most = 0;
    const uint32_t rank = c->def.rank;
    for (uint32_t r = 0; r < c->def.size; r++) {
        sizes[r] = (uint64_t)counts[r] * size;
        if (r > 0 && sizes[r] > most) most = sizes[r];
    }
    if (rank == 0 && sizes[0] > 0) memcpy(all, own, (size_t)sizes[0]);
    for (uint64_t first = 0; first < most; first += PIECE)
        WEIR_RETURN_IF_ERROR(rank == 0 ? gather_pieces(c, sizes, first, all)
                                       : send_piece(c, own, sizes[rank], first));
    return WEIR_OK;
}

/* ---- waiting -------------------------------------------------------------------------------- */

#define POLL_S 20e-6
#define RAREST_POLL_S 500e-6
#define POLL_FRACTION 0.1 /* of the time waited so far */
#define POLLS_WITHOUT_SLEEP 200u

void comm_pause(uint32_t polls, double waited_s)
{
    if (polls < POLLS_WITHOUT_SLEEP) return; /* even the shortest sleep takes 50 us on Linux */
    base_sleep(fmin(fmax(POLL_FRACTION * waited_s, POLL_S), RAREST_POLL_S));
}

/* ---- failures ------------------------------------------------------------------------------- */

void comm_abort(comm *c, const char *reason)
{
    c->def.abort(c->def.user, reason);
}

bool comm_has_failed(const comm *c)
{
    return c->failed;
}

int comm_leave(comm *c, int status)
{
    return c->def.leave ? c->def.leave(c->def.user, status) : status;
}

const char *comm_rank_name(const comm *c, uint32_t rank, char name[COMM_HOST + 20])
{
    snprintf(name, COMM_HOST + 20, "rank %u%s%s", rank, c->def.hosts ? " on " : "",
             c->def.hosts ? c->def.hosts[rank] : "");
    return name;
}
