/* The communicator of a single rank: its numbers are those of all ranks. */
#include "comm.h"

typedef struct serial_rank {
    char why[256];
} serial_rank;

/* A message to itself, as on a periodic axis, is copied. */
static bool copy_message(serial_rank *r, const comm_message *sent, uint32_t sent_count,
                         comm_message *received)
{
    for (uint32_t i = 0; i < sent_count; i++) {
        if (sent[i].tag != received->tag) continue;
        if (sent[i].size > received->size) break;
        if (sent[i].size > 0) memcpy(received->bytes, sent[i].bytes, (size_t)sent[i].size);
        received->size = sent[i].size;
        return true;
    }
    snprintf(r->why, sizeof r->why, "message %u is missing, or larger than its room",
             received->tag);
    return false;
}

static bool exchange(void *user, const comm_message *sent, uint32_t sent_count,
                     comm_message *received, uint32_t received_count)
{
    bool done = true;
    for (uint32_t i = 0; i < received_count && done; i++)
        done = copy_message(user, sent, sent_count, &received[i]);
    return done;
}

static bool combine(void *user, comm_numbers *numbers)
{
    (void)user, (void)numbers;
    return true;
}

static bool sum(void *user, uint32_t *words, uint64_t count)
{
    (void)user, (void)words, (void)count;
    return true;
}

static bool broadcast(void *user, void *bytes, uint64_t size)
{
    (void)user, (void)bytes, (void)size;
    return true;
}

static void abort_rank(void *user)
{
    (void)user;
}

weir_result comm_serial_create(const weir_log *log, comm **out)
{
    serial_rank *rank = base_alloc(1, sizeof *rank);
    if (!rank) return base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a communicator");
    const comm_def def = {.size = 1,
                          .user = rank,
                          .patience_s = COMM_PATIENCE_S,
                          .exchange = exchange,
                          .combine = combine,
                          .sum = sum,
                          .broadcast = broadcast,
                          .abort = abort_rank,
                          .destroy = base_free,
                          .why = &rank->why};
    return comm_create(log, &def, out);
}
