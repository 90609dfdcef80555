/* weir run under an MPI launcher: every process is a rank. Rank 0 runs as any other run does and
 * alone writes files and messages; the others open the same scene and their device, and do what its
 * simulation commands. */
#include "run_internal.h"

#include <stdlib.h>

/* ---- wrong use ------------------------------------------------------------------------------ */

static bool holds_messages;

void run_job_hold_messages(void)
{
    uint32_t rank;
    if (weir_comm_launched(&rank) > 1 && rank > 0)
        holds_messages = setvbuf(stderr, NULL, _IOFBF, BUFSIZ) == 0;
}

void run_job_show_messages(void)
{
    if (holds_messages) setvbuf(stderr, NULL, _IONBF, 0);
    holds_messages = false;
}

void run_job_drop_messages(int status)
{
    if (holds_messages) _Exit(status);
}

/* ---- the job's start ------------------------------------------------------------------------ */

bool run_job_is_wanted(const run_options *options)
{
    if (options->ranks_text) return strcmp(options->ranks_text, "mpi") == 0;
    return weir_comm_launched(NULL) > 1;
}

/* ---- the later ranks ------------------------------------------------------------------------ */

/* Where the messages of a later rank go. Before it serves, rank 0 has the same ones. */
typedef struct rank_log {
    uint32_t rank;
    bool serves;
    char last_error[APP_ERROR_TEXT];
} rank_log;

static void write_rank_message(void *user, weir_log_level level, const char *text)
{
    rank_log *log = user;
    if (level != WEIR_LOG_ERROR) return;
    snprintf(log->last_error, sizeof log->last_error, "%s", text);
    if (log->serves) fprintf(stderr, "weir: error: rank %u: %s\n", log->rank, text);
}

/* Serves rank 0. Returns the exit status. */
static int serve(const run_options *options, rank_log *messages)
{
    const weir_log log = {write_rank_message, messages, WEIR_LOG_ERROR};
    app_context work;
    weir_sim *none = NULL;
    weir_result result = run_open_context(options, &log, &work);
    messages->serves = true;
    if (result == WEIR_OK)
        result = weir_sim_create_on_comm(work.device, work.scene, options->comm, &none);
    const int status = app_context_status(&work, result);
    if (result == WEIR_OK) base_interrupt_acknowledge();
    app_context_close(&work);
    return status;
}

/* ---- the job -------------------------------------------------------------------------------- */

/* What rank 0 decides for all, as only it may see the folder. */
enum { JOB_STARTS, JOB_RESUMES, JOB_IS_COMPLETE };

static uint32_t choose_way(run_options *options)
{
    if (options->job.rank > 0) return JOB_STARTS;
    if (options->resume_auto && !resume_choose(options)) return JOB_IS_COMPLETE;
    return options->resume ? JOB_RESUMES : JOB_STARTS;
}

int run_job(run_options *options)
{
    const weir_log log = app_log(options->source.quiet);
    rank_log messages = {0};
    int status = APP_FAILED;
    base_interrupt_install();
    if (weir_comm_open_mpi(&log, &options->comm) != WEIR_OK) return APP_FAILED;
    weir_comm_get_info(options->comm, &options->job);
    messages.rank = options->job.rank;
    uint32_t way = choose_way(options);
    if (weir_comm_broadcast(options->comm, &way) == WEIR_OK) {
        options->resume = way == JOB_RESUMES;
        if (way == JOB_IS_COMPLETE)
            status = APP_DONE;
        else
            status = options->job.rank == 0 ? run_scene(options) : serve(options, &messages);
    }
    return weir_comm_close(&options->comm, status, messages.last_error);
}
