/* One simulation on the devices of several processes, which an MPI launcher starts together, on one
 * computer or many. weir/weir.h has the rules that hold for all functions; docs/ranks.md has the
 * commands and the failures.
 *
 * Libweir links no MPI: it opens a small library for the MPI of the launcher. Functions marked
 * "Collective" are called by all processes of the job, in the same order. */
#ifndef WEIR_COMM_PUBLIC_H
#define WEIR_COMM_PUBLIC_H

#include "ranks.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The processes of a job. */
typedef struct weir_comm weir_comm;

typedef struct weir_comm_info {
    uint32_t size, rank;           /* of the job */
    uint32_t host_size, host_rank; /* of its processes on this computer */
    char library[64];              /* name and version of the MPI */
} weir_comm_info;

/* Returns how many processes the MPI launcher has started that has started this one, by its
 * environment; 0: no launcher. *rank, which may be NULL: the number of this one. Any thread. */
WEIR_API uint32_t weir_comm_launched(uint32_t *rank);

/* Joins the job of this process, once in a process. `log`: for all messages; may be NULL. Errors
 * that all processes have are logged by rank 0. Collective. Errors: UNSUPPORTED (no launcher, no
 * module for its MPI, another MPI's launcher, more than WEIR_MAX_RANKS processes), IO, MEMORY. */
WEIR_API weir_result weir_comm_open_mpi(const weir_log *log, weir_comm **comm);

/* Joins the processes of a communicator of the program's own, which has started MPI itself with
 * MPI_THREAD_MULTIPLE, because a thread of Weir's calls MPI, too. `mpi_comm` points to the
 * MPI_Comm, which is copied; `mpi_comm_size` is sizeof(MPI_Comm), in Python with mpi4py
 * MPI._addressof(comm) and MPI._sizeof(comm). Its processes must be joined in no other weir_comm.
 * Collective. Errors: those of weir_comm_open_mpi, ARGUMENT. */
WEIR_API weir_result weir_comm_from_mpi(const weir_log *log, const void *mpi_comm,
                                        size_t mpi_comm_size, weir_comm **comm);

/* Describes the job and the place of this process in it. Any thread. */
WEIR_API void weir_comm_get_info(const weir_comm *comm, weir_comm_info *info);

/* Sets `*value` to that of rank 0. Collective. Errors: IO (a process has failed). */
WEIR_API weir_result weir_comm_broadcast(weir_comm *comm, uint32_t *value);

/* Creates a simulation of which each process is a rank, with the device that it gives. On rank 0 it
 * is one as made by weir_sim_create_on_ranks. On the others, *sim is NULL: the call does what rank
 * 0 does with the simulation, and returns when that has been destroyed. Destroy it before the
 * communicator. Collective. Errors: those of weir_sim_create_on_ranks, ARGUMENT (the processes have
 * different versions, devices, drivers, scenes or files: the log of rank 0 names one), IO (a
 * process has failed). */
WEIR_API weir_result weir_sim_create_on_comm(weir_device *device, const weir_scene *scene,
                                             weir_comm *comm, weir_sim **sim);

/* Leaves the job, and ends MPI in this process unless the program has started it. Returns the
 * largest `status` of all processes, which are exit statuses: 0 means success. A process whose
 * status is not 0, and that has not created and destroyed a simulation with the others, makes their
 * calls fail; rank 0 logs its `reason`, which may be NULL. If after a failure a process does not
 * come here, all are ended after 20 seconds. Collective. */
WEIR_API int weir_comm_close(weir_comm **comm, int status, const char *reason);

#ifdef __cplusplus
}
#endif
#endif
