/* comm: the communicator of a simulation that several ranks share. A rank is a thread or a process
 * with a device of its own. Only whole numbers are combined, so that no result depends on the order
 * of the ranks. A transport fills the table of a comm_def: threads.c for threads of one process.
 *
 * All functions below but comm_destroy are collective: every rank calls them in the same order and
 * with the same arguments, except for its own data. Once a call has failed on a rank, the later
 * ones fail, too. */
#ifndef WEIR_COMM_H
#define WEIR_COMM_H

#include "base.h"

typedef struct comm comm;

/* A message to or from a rank. `size`, bytes: what is sent; of a received one, first its room, then
 * what has come. The tag distinguishes messages of two ranks that are neighbours on both sides. */
typedef struct comm_message {
    uint32_t rank, tag;
    void *bytes;
    uint64_t size;
} comm_message;

#define COMM_MAX_RANKS 64u
#define COMM_REASON 640u
#define COMM_HOST 64u

#define COMM_SUMS 40u
#define COMM_MAXIMA 8u
#define COMM_FLAGS 16u

/* One block of numbers that ranks combine. */
typedef struct comm_numbers {
    uint64_t sum[COMM_SUMS]; /* modulo 2^64 */
    uint64_t max[COMM_MAXIMA];
    uint64_t any[COMM_FLAGS]; /* bitwise or */
} comm_numbers;

/* A transport. The functions return false if a rank has failed, is silent for too long, or calls
 * another function; they have written why. */
typedef struct comm_def {
    uint32_t size, rank;
    void *user;
    bool (*exchange)(void *user, const comm_message *sent, uint32_t sent_count,
                     comm_message *received, uint32_t received_count);
    bool (*combine)(void *user, comm_numbers *numbers);
    bool (*sum)(void *user, uint32_t *words, uint64_t count); /* modulo 2^32 */
    /* Ends the calls of all ranks. `reason`: why this rank has failed. */
    void (*abort)(void *user, const char *reason);
    int (*leave)(void *user, int status); /* comm_leave; NULL: ranks of one process */
    void (*destroy)(void *user);
    char (*why)[COMM_REASON];       /* the reason of the last failure */
    const char (*hosts)[COMM_HOST]; /* [size] names of the ranks' computers; NULL: a single one */
} comm_def;

/* Creates a communicator, which from then on owns `def->user`, also after a failure. Errors:
 * MEMORY. */
weir_result comm_create(const weir_log *log, const comm_def *def, comm **out);
void comm_destroy(comm **pointer);

#define COMM_PATIENCE_S 600.0
/* Creates `count` communicators, 1 to COMM_MAX_RANKS, one for each of as many threads. A rank that
 * waits for another longer than `patience_s` fails. Errors: ARGUMENT, MEMORY. */
weir_result comm_threads_create(const weir_log *log, uint32_t count, double patience_s,
                                comm *out[COMM_MAX_RANKS]);

uint32_t comm_size(const comm *c);
uint32_t comm_rank(const comm *c);

/* Sends and receives messages; one for each that the other rank sends. Errors: IO, also if a
 * message is larger than its room. */
weir_result comm_exchange(comm *c, const comm_message *sent, uint32_t sent_count,
                          comm_message *received, uint32_t received_count);
/* Replaces the numbers by those of all ranks. Errors: IO. */
weir_result comm_combine(comm *c, comm_numbers *numbers);
/* Replaces words by their sums over all ranks. Errors: IO. */
weir_result comm_sum(comm *c, uint32_t *words, uint64_t count);
/* Returns the same result on all ranks: the largest of theirs. */
weir_result comm_agree(comm *c, weir_result result);
/* Sets counts[r] to what rank r has passed as `own`. Errors: IO. */
weir_result comm_share_counts(comm *c, uint32_t own, uint32_t counts[COMM_MAX_RANKS]);
/* Copies an array of each rank, counts[r] elements of `size` bytes, to `all` of rank 0, in the
 * order of the ranks. `all` of the others is unused. Errors: IO. */
weir_result comm_gather(comm *c, const void *own, size_t size, const uint32_t *counts, void *all);
/* What a rank has exchanged since its communicator was created. */
typedef struct comm_traffic {
    uint64_t messages, bytes; /* sent by comm_exchange, not by comm_gather */
    uint64_t sums;            /* calls of comm_combine and comm_sum */
    double waiting_s;         /* in these calls */
} comm_traffic;

comm_traffic comm_get_traffic(const comm *c);
/* Makes the calls of all ranks fail; their messages say that this rank has failed, and why. Not
 * collective. */
void comm_abort(comm *c, const char *reason);
bool comm_has_failed(const comm *c);
/* Waits for all ranks, also after a failure, and returns the largest exit status of theirs. If
 * after a failure a rank does not come, this ends the processes of all. */
int comm_leave(comm *c, int status);
/* Writes "rank 1", or "rank 1 on HOST" if the ranks have several computers, and returns it. */
const char *comm_rank_name(const comm *c, uint32_t rank, char name[COMM_HOST + 20]);

#endif
