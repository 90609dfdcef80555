/* The functions of one MPI, for src/comm: plain MPI-3 calls. The same source is compiled with the
 * headers of each MPI. */
#include "mpi_module.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <mpi.h>

#define MAX_PARTS 3

struct comm_mpi_request {
    MPI_Request parts[MAX_PARTS];
    int count;
};

static MPI_Comm world; /* the processes of the job */
static bool started;   /* MPI, by this module */
static MPI_Comm channels[COMM_MPI_CHANNELS];
static char hosts[COMM_MAX_RANKS][COMM_HOST];
static char reason[MPI_MAX_ERROR_STRING];

static bool succeeded(int code)
{
    int length = 0;
    if (code == MPI_SUCCESS) return true;
    if (MPI_Error_string(code, reason, &length) != MPI_SUCCESS)
        snprintf(reason, sizeof reason, "error %d", code);
    return false;
}

static bool fail(const char *words)
{
    snprintf(reason, sizeof reason, "%s", words);
    return false;
}

static const char *get_reason(void)
{
    return reason;
}

/* ---- the job -------------------------------------------------------------------------------- */

static bool find_places(comm_mpi_job *job)
{
    MPI_Comm local;
    int size, rank, host_size, host_rank;
    if (!succeeded(MPI_Comm_size(world, &size)) || !succeeded(MPI_Comm_rank(world, &rank)) ||
        !succeeded(MPI_Comm_split_type(world, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local)) ||
        !succeeded(MPI_Comm_size(local, &host_size)) ||
        !succeeded(MPI_Comm_rank(local, &host_rank)) || !succeeded(MPI_Comm_free(&local)))
        return false;
    job->size = (uint32_t)size;
    job->rank = (uint32_t)rank;
    job->host_size = (uint32_t)host_size;
    job->host_rank = (uint32_t)host_rank;
    return true;
}

static bool name_hosts(comm_mpi_job *job)
{
    char full[MPI_MAX_PROCESSOR_NAME], own[COMM_HOST];
    int length = 0;
    if (job->size > COMM_MAX_RANKS) return true; /* the caller refuses so many */
    if (!succeeded(MPI_Get_processor_name(full, &length))) return false;
    snprintf(own, sizeof own, "%.*s", (int)sizeof own - 1, full);
    job->hosts = (const char(*)[COMM_HOST])hosts;
    return succeeded(
        MPI_Allgather(own, (int)sizeof own, MPI_CHAR, hosts, (int)sizeof own, MPI_CHAR, world));
}

/* Copies the first line of the library's version, up to a comma. */
static void name_library(comm_mpi_job *job)
{
    char full[MPI_MAX_LIBRARY_VERSION_STRING] = "";
    int length = 0;
    MPI_Get_library_version(full, &length);
    full[strcspn(full, ",\n")] = '\0';
    for (char *c = full; *c; c++)
        if (*c == '\t') *c = ' ';
    snprintf(job->library, sizeof job->library, "%.*s", (int)sizeof job->library - 1, full);
}

static bool start_mpi(void)
{
    int provided = 0;
    if (!succeeded(MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided))) return false;
    if (provided < MPI_THREAD_SERIALIZED)
        return fail("it was built without support for threads, MPI_THREAD_SERIALIZED");
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN); /* copies inherit it */
    world = MPI_COMM_WORLD;
    started = true;
    return true;
}

/* A thread of Weir's calls MPI while the program may do so, too. */
static bool take_comm(const void *mpi_comm)
{
    int initialized = 0, provided = 0;
    MPI_Initialized(&initialized);
    if (!initialized)
        return fail("the program has not started this MPI: call MPI_Init_thread first, and use "
                    "the module of the MPI that the program is linked with");
    MPI_Query_thread(&provided);
    if (provided < MPI_THREAD_MULTIPLE)
        return fail("the program has started MPI with less than MPI_THREAD_MULTIPLE: call "
                    "MPI_Init_thread with that");
    memcpy(&world, mpi_comm, sizeof world);
    if (world == MPI_COMM_NULL) return fail("the communicator is MPI_COMM_NULL");
    started = false;
    return true;
}

static bool create_channels(void)
{
    for (int i = 0; i < COMM_MPI_CHANNELS; i++) {
        if (!succeeded(MPI_Comm_dup(world, &channels[i]))) return false;
        MPI_Comm_set_errhandler(channels[i], MPI_ERRORS_RETURN);
    }
    return true;
}

static bool start(comm_mpi_job *job, const void *mpi_comm)
{
    name_library(job);
    if (!(mpi_comm ? take_comm(mpi_comm) : start_mpi())) return false;
    return create_channels() && find_places(job) && name_hosts(job);
}

static void end_all(int status)
{
    MPI_Abort(world, status);
}

static void finish(void)
{
    /* MPICH 4.0.2 over TCP (UCX) otherwise hangs in MPI_Finalize: the first process there stops
     * serving the connections that the second still closes. */
    MPI_Barrier(channels[COMM_MPI_DATA]);
    for (int i = 0; i < COMM_MPI_CHANNELS; i++)
        MPI_Comm_free(&channels[i]);
    if (started) MPI_Finalize();
}

/* ---- requests ------------------------------------------------------------------------------- */

static comm_mpi_request *create_request(int count)
{
    comm_mpi_request *made = calloc(1, sizeof *made);
    if (!made) fail("not enough memory for a message");
    if (made) made->count = count;
    return made;
}

/* Returns the request if it has begun. */
static comm_mpi_request *begin(comm_mpi_request *request, bool begun)
{
    if (begun) return request;
    free(request);
    return NULL;
}

static int limit(uint64_t count)
{
    return count < INT_MAX ? (int)count : INT_MAX;
}

static comm_mpi_request *send(comm_mpi_channel channel, uint32_t rank, uint32_t tag,
                              const void *bytes, uint64_t size)
{
    comm_mpi_request *r = create_request(1);
    if (!r) return NULL;
    if (size > INT_MAX) return begin(r, fail("a message is larger than 2 GiB"));
    return begin(r, succeeded(MPI_Isend(bytes, (int)size, MPI_BYTE, (int)rank, (int)tag,
                                        channels[channel], &r->parts[0])));
}

static comm_mpi_request *receive(comm_mpi_channel channel, uint32_t rank, uint32_t tag, void *bytes,
                                 uint64_t room)
{
    const int from = rank == COMM_MPI_ANY_RANK ? MPI_ANY_SOURCE : (int)rank;
    comm_mpi_request *r = create_request(1);
    if (!r) return NULL;
    return begin(r, succeeded(MPI_Irecv(bytes, limit(room), MPI_BYTE, from, (int)tag,
                                        channels[channel], &r->parts[0])));
}

static comm_mpi_request *combine(comm_numbers *numbers)
{
    const MPI_Comm c = channels[COMM_MPI_DATA];
    comm_mpi_request *r = create_request(3);
    if (!r) return NULL;
    return begin(r, succeeded(MPI_Iallreduce(MPI_IN_PLACE, numbers->sum, COMM_SUMS, MPI_UINT64_T,
                                             MPI_SUM, c, &r->parts[0])) &&
                        succeeded(MPI_Iallreduce(MPI_IN_PLACE, numbers->max, COMM_MAXIMA,
                                                 MPI_UINT64_T, MPI_MAX, c, &r->parts[1])) &&
                        succeeded(MPI_Iallreduce(MPI_IN_PLACE, numbers->any, COMM_FLAGS,
                                                 MPI_UINT64_T, MPI_BOR, c, &r->parts[2])));
}

static comm_mpi_request *sum(uint32_t *words, uint64_t count)
{
    comm_mpi_request *r = create_request(1);
    if (!r) return NULL;
    if (count > INT_MAX) return begin(r, fail("an array has more than 2^31 words"));
    return begin(r, succeeded(MPI_Iallreduce(MPI_IN_PLACE, words, (int)count, MPI_UINT32_T, MPI_SUM,
                                             channels[COMM_MPI_DATA], &r->parts[0])));
}

static comm_mpi_request *meet(int *status)
{
    comm_mpi_request *r = create_request(1);
    if (!r) return NULL;
    return begin(r, succeeded(MPI_Iallreduce(MPI_IN_PLACE, status, 1, MPI_INT, MPI_MAX,
                                             channels[COMM_MPI_WATCH], &r->parts[0])));
}

static comm_mpi_progress test(comm_mpi_request *request, uint64_t *size)
{
    MPI_Status statuses[MAX_PARTS];
    int complete = 0, bytes = 0;
    const bool worked = succeeded(MPI_Testall(request->count, request->parts, &complete, statuses));
    if (worked && !complete) return COMM_MPI_PENDING;
    /* Testall reports that some part has failed, and its status says how. */
    for (int i = 0; i < request->count && !worked; i++)
        if (statuses[i].MPI_ERROR != MPI_SUCCESS && statuses[i].MPI_ERROR != MPI_ERR_PENDING)
            (void)succeeded(statuses[i].MPI_ERROR);
    if (worked && size) MPI_Get_count(&statuses[0], MPI_BYTE, &bytes);
    if (size) *size = (uint64_t)bytes;
    free(request);
    return worked ? COMM_MPI_COMPLETE : COMM_MPI_FAILED;
}

static void cancel(comm_mpi_request *request)
{
    for (int i = 0; i < request->count; i++) {
        MPI_Cancel(&request->parts[i]);
        MPI_Request_free(&request->parts[i]);
    }
    free(request);
}

/* The only name that the library exports. */
__attribute__((visibility("default"))) extern const comm_mpi_module weir_mpi_module;
const comm_mpi_module weir_mpi_module = {
    .version = COMM_MPI_VERSION,
    .start = start,
    .send = send,
    .receive = receive,
    .combine = combine,
    .sum = sum,
    .meet = meet,
    .test = test,
    .cancel = cancel,
    .reason = get_reason,
    .abort = end_all,
    .finish = finish,
};
