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
    double patience_s; /* longest wait for a rank */
    bool (*exchange)(void *user, const comm_message *sent, uint32_t sent_count,
                     comm_message *received, uint32_t received_count);
    bool (*combine)(void *user, comm_numbers *numbers);
    bool (*sum)(void *user, uint32_t *words, uint64_t count); /* modulo 2^32 */
    void (*abort)(void *user);                                /* ends the calls of all ranks */
    void (*destroy)(void *user);
    char (*why)[256]; /* the reason of the last failure */
} comm_def;

/* Creates a communicator, which from then on owns `def->user`, also after a failure. Errors:
 * MEMORY. */
weir_result comm_create(const weir_log *log, const comm_def *def, comm **out);
void comm_destroy(comm **pointer);

#define COMM_MAX_THREADS 64u
#define COMM_PATIENCE_S 600.0
/* Creates `count` communicators, 1 to COMM_MAX_THREADS, one for each of as many threads. Errors:
 * ARGUMENT, MEMORY. */
weir_result comm_threads_create(const weir_log *log, uint32_t count, double patience_s,
                                comm *out[COMM_MAX_THREADS]);

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
/* Makes the calls of all ranks fail. Not collective. */
void comm_abort(comm *c);

#endif
