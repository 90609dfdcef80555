/* mpi_module: what comm takes from an MPI. libweir links none: a small library for each MPI
 * (src/mpi), which it opens at run time, has these functions in a variable named
 * COMM_MPI_SYMBOL. The library calls nothing of libweir.
 *
 * No two of the functions may run at the same time: MPI_THREAD_SERIALIZED, or MPI_THREAD_MULTIPLE
 * if the program calls MPI, too. None of them waits, except start and finish. */
#ifndef WEIR_COMM_MPI_MODULE_H
#define WEIR_COMM_MPI_MODULE_H

#include "comm.h"

#define COMM_MPI_SYMBOL "weir_mpi_module"
#define COMM_MPI_VERSION 2u
#define COMM_MPI_LIBRARY 64u

/* The processes that a launcher has started together. */
typedef struct comm_mpi_job {
    uint32_t size, rank;
    uint32_t host_size, host_rank;  /* of those on this computer */
    const char (*hosts)[COMM_HOST]; /* [size], until finish; NULL unless size is at most
                                       COMM_MAX_RANKS */
    char library[COMM_MPI_LIBRARY]; /* name and version of the MPI */
} comm_mpi_job;

/* Messages of the simulation; those about the ranks themselves. */
typedef enum comm_mpi_channel { COMM_MPI_DATA, COMM_MPI_WATCH, COMM_MPI_CHANNELS } comm_mpi_channel;

#define COMM_MPI_ANY_RANK UINT32_MAX

/* Something that has begun. Its memory must stay until it is complete or cancelled. */
typedef struct comm_mpi_request comm_mpi_request;

typedef enum comm_mpi_progress {
    COMM_MPI_PENDING,
    COMM_MPI_COMPLETE, /* and the request released */
    COMM_MPI_FAILED,   /* and released, too; `reason` says why */
} comm_mpi_progress;

typedef struct comm_mpi_module {
    uint32_t version;
    /* Joins the processes of *mpi_comm, an MPI_Comm of a program that has started MPI itself; NULL:
     * starts MPI, and joins all processes. Collective. Returns false after a failure. */
    bool (*start)(comm_mpi_job *job, const void *mpi_comm);
    /* The functions that begin something return NULL after a failure. */
    comm_mpi_request *(*send)(comm_mpi_channel channel, uint32_t rank, uint32_t tag,
                              const void *bytes, uint64_t size);
    comm_mpi_request *(*receive)(comm_mpi_channel channel, uint32_t rank, uint32_t tag, void *bytes,
                                 uint64_t room);
    comm_mpi_request *(*combine)(comm_numbers *numbers);
    comm_mpi_request *(*sum)(uint32_t *words, uint64_t count);
    /* Complete once all ranks have called it; then *status is the largest of theirs. */
    comm_mpi_request *(*meet)(int *status);
    /* *size: bytes of a message that was received; may be NULL. */
    comm_mpi_progress (*test)(comm_mpi_request *request, uint64_t *size);
    void (*cancel)(comm_mpi_request *request); /* of a message that is to be received */
    const char *(*reason)(void);               /* MPI's words for the last failure */
    void (*abort)(int status);                 /* ends the processes of all ranks */
    void (*finish)(void);                      /* ends MPI if `start` has started it. Collective */
} comm_mpi_module;

#endif
