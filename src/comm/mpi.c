/* Ranks that are processes of an MPI job. A rank begins its sends and receives at once, then polls
 * until they are complete.
 *
 * A second thread, the watcher, sends a heartbeat to the next rank every second and listens for
 * that of the previous one, so that a rank that computes or compiles for minutes is not taken for
 * dead, and one whose computer or network has failed is found though MPI waits forever. It also
 * receives the message by which a rank that has failed ends the calls of all. Both threads call MPI
 * under one mutex. */
#include "comm_internal.h"
#include "comm_mpi.h"
#include "mpi_module.h"

#include <stdlib.h>

#define WATCH_S 0.05 /* between two looks of the watcher */
#define BEAT_S 1.0
#define REPORT_S 0.5 /* for rank 0: launchers end all processes once one has failed */
#define DRAIN_S 0.02
#define MEETING_S 20.0 /* longest wait for the ranks of a failed job */
#define MAX_REQUESTS (2u * COMM_MAX_RANKS)

/* What watchers send each other. An empty reason: a heartbeat. */
typedef struct watch_message {
    char reason[COMM_REASON];
} watch_message;

typedef struct process_rank {
    const comm_mpi_module *module;
    comm_mpi_job job;
    weir_log log;
    base_mutex *mutex; /* for MPI and all below */
    base_thread *watcher;
    bool ends; /* the watcher */
    watch_message heard, beat, failure;
    comm_mpi_request *hearing, *beating;
    double silence_s, beat_age_s; /* of the previous rank; since the own last beat */
    bool warned, failed;
    char reason[COMM_REASON]; /* why */
    char why[COMM_REASON];
} process_rank;

static const char *name_of(const process_rank *r, uint32_t rank, char name[COMM_HOST + 20])
{
    snprintf(name, COMM_HOST + 20, "rank %u on %s", rank, r->job.hosts[rank]);
    return name;
}

/* ---- failures, with the mutex locked -------------------------------------------------------- */

static void note_failure(process_rank *r, const char *reason)
{
    if (!r->failed) snprintf(r->reason, sizeof r->reason, "%s", reason);
    r->failed = true;
}

/* Notes the failure and sends its reason to all others. The requests complete or do not: the job
 * ends. */
static void spread_failure(process_rank *r, const char *reason)
{
    if (r->failed) return;
    note_failure(r, reason);
    memcpy(r->failure.reason, r->reason, sizeof r->reason);
    for (uint32_t other = 0; other < r->job.size; other++)
        if (other != r->job.rank)
            (void)r->module->send(COMM_MPI_WATCH, other, 0, &r->failure, sizeof r->failure);
}

static void spread_mpi_failure(process_rank *r)
{
    char text[COMM_REASON], name[COMM_HOST + 20];
    snprintf(text, sizeof text, "%s has lost its connections: %s says %.400s",
             name_of(r, r->job.rank, name), r->job.library, r->module->reason());
    spread_failure(r, text);
}

/* ---- the watcher ---------------------------------------------------------------------------- */

/* Takes the messages that have come. */
static void listen(process_rank *r)
{
    const uint32_t any = COMM_MPI_ANY_RANK;
    comm_mpi_progress progress = COMM_MPI_COMPLETE;
    while (!r->failed && progress == COMM_MPI_COMPLETE) {
        if (!r->hearing)
            r->hearing = r->module->receive(COMM_MPI_WATCH, any, 0, &r->heard, sizeof r->heard);
        progress = r->hearing ? r->module->test(r->hearing, NULL) : COMM_MPI_FAILED;
        if (progress == COMM_MPI_PENDING) return;
        r->hearing = NULL;
        if (progress == COMM_MPI_FAILED) {
            spread_mpi_failure(r);
        } else if (r->heard.reason[0]) {
            note_failure(r, r->heard.reason);
        } else {
            r->silence_s = 0;
            r->warned = false;
        }
    }
}

static void send_beat(process_rank *r, double passed_s)
{
    r->beat_age_s += passed_s;
    if (r->beating && r->module->test(r->beating, NULL) == COMM_MPI_PENDING) return;
    r->beating = NULL;
    if (r->beat_age_s < BEAT_S) return;
    r->beat_age_s = 0;
    const uint32_t next = (r->job.rank + 1) % r->job.size;
    r->beating = r->module->send(COMM_MPI_WATCH, next, 0, &r->beat, sizeof r->beat);
}

/* A process that was stopped itself does not count that time. */
static void check_silence(process_rank *r, double passed_s)
{
    char name[COMM_HOST + 20], text[COMM_REASON];
    name_of(r, (r->job.rank + r->job.size - 1) % r->job.size, name);
    r->silence_s += fmin(passed_s, BEAT_S);
    if (r->silence_s > COMM_MPI_WARNING_S && !r->warned) {
        r->warned = true;
        base_log(&r->log, WEIR_LOG_WARNING,
                 "%s was silent for %g s; after %g s the run ends: its computer, the network or "
                 "the process may have stopped",
                 name, COMM_MPI_WARNING_S, COMM_MPI_PATIENCE_S);
    }
    if (r->silence_s <= COMM_MPI_PATIENCE_S) return;
    snprintf(text, sizeof text,
             "%s was silent for %g s: its computer, the network or the process has stopped", name,
             COMM_MPI_PATIENCE_S);
    spread_failure(r, text);
}

static void watch(void *user)
{
    process_rank *r = user;
    double last_s = base_time_s();
    for (bool ends = false; !ends;) {
        base_sleep(WATCH_S);
        const double now_s = base_time_s(), passed_s = now_s - last_s;
        last_s = now_s;
        base_mutex_lock(r->mutex);
        ends = r->ends;
        if (!r->failed) {
            listen(r);
            send_beat(r, passed_s);
            check_silence(r, passed_s);
        }
        base_mutex_unlock(r->mutex);
    }
}

/* ---- calls ---------------------------------------------------------------------------------- */

/* What a call has begun. */
typedef struct begun_list {
    comm_mpi_request *items[MAX_REQUESTS];
    uint64_t *sizes[MAX_REQUESTS]; /* receive those of messages; NULL: none */
    bool cancels[MAX_REQUESTS];    /* may be cancelled */
    uint32_t count;
} begun_list;

static void append(process_rank *r, begun_list *list, comm_mpi_request *begun, uint64_t *size)
{
    if (!begun) spread_mpi_failure(r);
    if (!begun) return;
    list->items[list->count] = begun;
    list->cancels[list->count] = size != NULL;
    list->sizes[list->count++] = size;
}

/* Tests what is not complete; returns whether all is. */
static bool test_all(process_rank *r, begun_list *list)
{
    bool complete = true;
    for (uint32_t i = 0; i < list->count && !r->failed; i++) {
        if (!list->items[i]) continue;
        const comm_mpi_progress progress = r->module->test(list->items[i], list->sizes[i]);
        if (progress == COMM_MPI_PENDING) {
            complete = false;
            continue;
        }
        list->items[i] = NULL;
        if (progress == COMM_MPI_FAILED) spread_mpi_failure(r);
    }
    return complete && !r->failed;
}

/* Waits, with the mutex locked, until all is complete. After a failure nothing is received into
 * the caller's memory any more. */
static bool wait_for_all(process_rank *r, begun_list *list)
{
    const double start_s = base_time_s();
    for (uint32_t polls = 0; !r->failed && !test_all(r, list); polls++) {
        base_mutex_unlock(r->mutex);
        comm_pause(polls, base_time_s() - start_s);
        base_mutex_lock(r->mutex);
    }
    for (uint32_t i = 0; i < list->count && r->failed; i++)
        if (list->items[i] && list->cancels[i]) r->module->cancel(list->items[i]);
    if (r->failed) memcpy(r->why, r->reason, sizeof r->why);
    return !r->failed;
}

static bool exchange(void *user, const comm_message *sent, uint32_t sent_count,
                     comm_message *received, uint32_t received_count)
{
    process_rank *r = user;
    begun_list list = {.count = 0};
    base_mutex_lock(r->mutex);
    for (uint32_t i = 0; i < received_count && !r->failed; i++) {
        comm_message *m = &received[i];
        append(r, &list, r->module->receive(COMM_MPI_DATA, m->rank, m->tag, m->bytes, m->size),
               &m->size);
    }
    for (uint32_t i = 0; i < sent_count && !r->failed; i++) {
        const comm_message *m = &sent[i];
        append(r, &list, r->module->send(COMM_MPI_DATA, m->rank, m->tag, m->bytes, m->size), NULL);
    }
    const bool done = wait_for_all(r, &list);
    base_mutex_unlock(r->mutex);
    return done;
}

static bool combine(void *user, comm_numbers *numbers)
{
    process_rank *r = user;
    begun_list list = {.count = 0};
    base_mutex_lock(r->mutex);
    if (!r->failed) append(r, &list, r->module->combine(numbers), NULL);
    const bool done = wait_for_all(r, &list);
    base_mutex_unlock(r->mutex);
    return done;
}

static bool sum(void *user, uint32_t *words, uint64_t count)
{
    process_rank *r = user;
    begun_list list = {.count = 0};
    base_mutex_lock(r->mutex);
    if (!r->failed) append(r, &list, r->module->sum(words, count), NULL);
    const bool done = wait_for_all(r, &list);
    base_mutex_unlock(r->mutex);
    return done;
}

static void abort_job(void *user, const char *reason)
{
    process_rank *r = user;
    char text[COMM_REASON], name[COMM_HOST + 20];
    base_mutex_lock(r->mutex);
    snprintf(text, sizeof text, "%s has failed: %.500s", name_of(r, r->job.rank, name), reason);
    spread_failure(r, text);
    base_mutex_unlock(r->mutex);
}

/* ---- the end -------------------------------------------------------------------------------- */

/* Waits until all ranks are here; *status becomes the largest. Returns false if after a failure a
 * rank does not come. */
static bool meet(process_rank *r, int *status)
{
    const double start_s = base_time_s();
    base_mutex_lock(r->mutex);
    comm_mpi_request *meeting = r->module->meet(status);
    comm_mpi_progress progress = meeting ? COMM_MPI_PENDING : COMM_MPI_FAILED;
    for (uint32_t polls = 0; progress == COMM_MPI_PENDING; polls++) {
        if (r->failed && base_time_s() - start_s > MEETING_S) break;
        progress = r->module->test(meeting, NULL);
        base_mutex_unlock(r->mutex);
        comm_pause(polls, base_time_s() - start_s);
        base_mutex_lock(r->mutex);
    }
    base_mutex_unlock(r->mutex);
    return progress == COMM_MPI_COMPLETE;
}

static int leave(void *user, int status)
{
    process_rank *r = user;
    if (meet(r, &status)) return status;
    if (r->job.rank > 0) base_log(&r->log, WEIR_LOG_ERROR, "the job ends: %s", r->reason);
    r->module->abort(status > 0 ? status : 1);
    return status;
}

/* Takes what watchers have sent before their ranks came to the end. */
static void drain(process_rank *r)
{
    const double start_s = base_time_s();
    while (base_time_s() - start_s < DRAIN_S) {
        if (!r->hearing)
            r->hearing = r->module->receive(COMM_MPI_WATCH, COMM_MPI_ANY_RANK, 0, &r->heard,
                                            sizeof r->heard);
        if (!r->hearing) return;
        if (r->module->test(r->hearing, NULL) == COMM_MPI_PENDING)
            base_sleep(0.001);
        else
            r->hearing = NULL;
    }
    r->module->cancel(r->hearing);
    r->hearing = NULL;
}

static void destroy(void *user)
{
    process_rank *r = user;
    int none = 0;
    base_mutex_lock(r->mutex);
    r->ends = true;
    base_mutex_unlock(r->mutex);
    base_thread_join(&r->watcher);
    (void)meet(r, &none); /* no watcher sends any more */
    drain(r);
    r->module->finish();
    base_mutex_destroy(&r->mutex);
    base_free(r);
}

/* ---- creation ------------------------------------------------------------------------------- */

/* Opens the module that WEIR_MPI_MODULE names, or that of the launcher. */
static const comm_mpi_module *open_module(const weir_log *log, const comm_launcher *launcher)
{
    char file[64];
    const char *given = getenv("WEIR_MPI_MODULE"), *names[2] = {given, file};
    const bool is_path = given && strchr(given, '/');
    snprintf(file, sizeof file, "libweir-mpi-%.32s.so", given ? given : launcher->module);
    void *library = base_library_open(is_path ? names : names + 1, 1);
    const comm_mpi_module *module = base_library_symbol(library, COMM_MPI_SYMBOL);
    if (module && module->version == COMM_MPI_VERSION) return module;
    base_log(log, WEIR_LOG_ERROR,
             "%s has started this process, but its module %s cannot be used: %s; install the "
             "module and this MPI (docs/ranks.md), give the module's path as WEIR_MPI_MODULE, or "
             "run one process with --ranks N",
             launcher->name, is_path ? given : file,
             module ? "it is of another version of Weir" : base_library_error());
    return NULL;
}

/* A launcher of another MPI makes each process a job of its own. `launcher`: NULL if the program
 * has chosen the processes. */
static weir_result check_size(const weir_log *log, const comm_launcher *launcher,
                              const comm_mpi_job *job)
{
    if (launcher && job->size != launcher->size)
        return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                         "the launcher of %s has started %u processes, but %s counts %u: use the "
                         "mpirun of the MPI for which the module is, or unset WEIR_MPI_MODULE",
                         launcher->name, launcher->size, job->library, job->size);
    if (job->size > COMM_MAX_RANKS)
        return base_fail(log, WEIR_ERROR_UNSUPPORTED, "there are %u processes: use at most %u",
                         job->size, COMM_MAX_RANKS);
    return WEIR_OK;
}

static weir_result start_module(const weir_log *log, const comm_launcher *launcher,
                                const void *given, process_rank *r)
{
    r->module = open_module(log, launcher);
    if (!r->module) return WEIR_ERROR_UNSUPPORTED;
    if (!r->module->start(&r->job, given))
        return base_fail(log, WEIR_ERROR_IO, "%s cannot start: %s",
                         r->job.library[0] ? r->job.library : launcher->name, r->module->reason());
    const weir_result result = check_size(log, given ? NULL : launcher, &r->job);
    if (result != WEIR_OK) r->module->finish();
    return result;
}

static weir_result make_comm(const weir_log *log, process_rank *r, comm **out)
{
    const comm_def def = {.size = r->job.size,
                          .rank = r->job.rank,
                          .user = r,
                          .exchange = exchange,
                          .combine = combine,
                          .sum = sum,
                          .abort = abort_job,
                          .leave = leave,
                          .destroy = destroy,
                          .why = &r->why,
                          .hosts = r->job.hosts};
    r->watcher = base_thread_start(watch, r);
    if (!r->watcher) {
        r->module->abort(1);
        return base_fail(log, WEIR_ERROR_MEMORY, "cannot start a thread");
    }
    return comm_create(log, &def, out);
}

/* The handles of Open MPI are pointers, those of MPICH integers. */
static comm_launcher find_mpi(const comm_mpi_given *given)
{
    comm_launcher found = comm_find_launcher();
    if (!given->comm) return found;
    found.name = given->size == sizeof(void *) ? "Open MPI" : "MPICH";
    found.module = given->size == sizeof(void *) ? "openmpi" : "mpich";
    return found;
}

weir_result comm_mpi_create(const weir_log *log, const comm_mpi_given *given, comm **out,
                            comm_job_info *info)
{
    const comm_launcher launcher = find_mpi(given);
    const weir_log *first = launcher.rank == 0 ? log : NULL;
    if (!launcher.name)
        return base_fail(log, WEIR_ERROR_UNSUPPORTED,
                         "no MPI launcher has started this process: start the ranks with \"mpirun "
                         "-n N weir run ...\", or use N devices in one process with --ranks N");
    process_rank *made = base_alloc(1, sizeof *made);
    base_mutex *mutex = base_mutex_create();
    weir_result result = WEIR_ERROR_MEMORY;
    if (made && mutex) {
        made->mutex = mutex;
        if (log) made->log = *log;
        result = start_module(first, &launcher, given->comm, made);
    }
    if (result != WEIR_OK) {
        base_mutex_destroy(&mutex);
        base_free(made);
        if (launcher.rank > 0) base_sleep(REPORT_S);
        return result;
    }
    info->host_size = made->job.host_size;
    info->host_rank = made->job.host_rank;
    snprintf(info->library, sizeof info->library, "%s", made->job.library);
    return make_comm(log, made, out);
}
