/* comm_mpi: the communicator of the processes that an MPI launcher has started together. */
#ifndef WEIR_COMM_MPI_H
#define WEIR_COMM_MPI_H

#include "comm.h"

/* What the environment of a process says about the launcher that has started it. */
typedef struct comm_launcher {
    const char *name;    /* "Open MPI"; NULL: no launcher */
    const char *module;  /* "openmpi" */
    uint32_t size, rank; /* of the job */
} comm_launcher;

comm_launcher comm_find_launcher(void);

typedef struct comm_job_info {
    uint32_t host_size, host_rank; /* of the ranks on this computer */
    char library[64];              /* name and version of the MPI */
} comm_job_info;

/* Ranks show each other that they live, whatever else they do. A warning names a rank that was
 * silent for COMM_MPI_WARNING_S; after COMM_MPI_PATIENCE_S its silence ends the job. */
#define COMM_MPI_WARNING_S 30.0
#define COMM_MPI_PATIENCE_S 90.0

/* An MPI_Comm of a program that has started MPI itself. */
typedef struct comm_mpi_given {
    const void *comm; /* points to it; NULL: all processes, and Weir starts MPI */
    size_t size;      /* sizeof(MPI_Comm), by which MPIs differ */
} comm_mpi_given;

/* Joins the job, once in a process at a time: loads the module for its MPI, whose path or name the
 * environment variable WEIR_MPI_MODULE may give. Collective. Errors: UNSUPPORTED (no launcher, no
 * module, more ranks than COMM_MAX_RANKS, or a launcher of another MPI), IO, MEMORY. Failures that
 * all ranks have are logged by rank 0. comm_destroy, after comm_leave, ends MPI in this process if
 * Weir has started it. */
weir_result comm_mpi_create(const weir_log *log, const comm_mpi_given *given, comm **out,
                            comm_job_info *info);

#endif
