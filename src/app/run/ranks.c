/* weir run --ranks: the devices of the ranks, and what does not go with several of them. */
#include "run_internal.h"

#include <stdlib.h>

#define LISTED_DEVICES 64u

/* Refuses an option. */
static weir_result refuse(const weir_log *log, const char *option, const char *advice)
{
    return base_fail(log, WEIR_ERROR_ARGUMENT, "--ranks cannot be combined with %s: %s", option,
                     advice);
}

bool run_ranks_parse(run_options *options)
{
    const char *text = options->ranks_text, *next;
    int64_t number = 1;
    if (text && strcmp(text, "mpi") != 0 &&
        (!base_parse_int64(text, text + strlen(text), &number, &next) || *next)) {
        fprintf(stderr, "weir: --ranks %s: expected a number of devices, 1 to %u, or mpi\n", text,
                WEIR_MAX_RANKS);
        return false;
    }
    options->ranks = number < 0 || number > WEIR_MAX_RANKS ? UINT32_MAX : (uint32_t)number;
    return true;
}

static weir_result check_options(const weir_log *log, const run_options *options)
{
    const char *later = "write particles, then run weir render on the folder";
    if (options->ranks == 0 || options->ranks > WEIR_MAX_RANKS)
        return base_fail(log, WEIR_ERROR_ARGUMENT, "--ranks %s: expected 1 to %u, or mpi",
                         options->ranks_text, WEIR_MAX_RANKS);
    if (options->ranks == 1 && options->job.size <= 1) return WEIR_OK;
    if (options->images) return refuse(log, "--images", later);
    if (options->pictures.video) return refuse(log, "--video", later);
    if (options->mesh != ARGS_NOT_GIVEN && options->mesh < WEIR_MESH_FORMAT_COUNT)
        return refuse(log, "--mesh", "write particles, then run weir mesh on the folder");
    if (options->from && !base_path_is_file(options->from))
        return refuse(log, "--from DIR:N", "start from a checkpoint, FILE.weir");
    return WEIR_OK;
}

/* Devices of the kind of the first rank's, as indices in weir_device_list. */
typedef struct device_choice {
    uint32_t items[LISTED_DEVICES], count;
    uint32_t first; /* place of the first rank's */
} device_choice;

static weir_result find_devices(const run_options *options, const app_context *work,
                                device_choice *choice)
{
    weir_device_info infos[LISTED_DEVICES];
    uint32_t count = LISTED_DEVICES;
    char *end = NULL;
    const char *named = options->source.device;
    const unsigned long number = named ? strtoul(named, &end, 10) : 0;
    *choice = (device_choice){0};
    WEIR_RETURN_IF_ERROR(weir_device_list(&work->log, infos, &count));
    for (uint32_t i = 0; i < count && i < LISTED_DEVICES; i++) {
        if (strcmp(infos[i].name, work->info.name) != 0) continue;
        if (named && end != named && *end == '\0' && number == i) choice->first = choice->count;
        choice->items[choice->count++] = i;
    }
    if (choice->count > 0) return WEIR_OK;
    return base_fail(&work->log, WEIR_ERROR_DEVICE_LOST, "%s is no longer listed", work->info.name);
}

/* Creates the device of a rank: the r-th of the choice after the first rank's. */
static weir_result create_device(const run_options *options, const device_choice *choice,
                                 uint32_t r, const weir_log *log, weir_device **device)
{
    char index[16];
    weir_device_def def = app_device_def(&options->source, log);
    snprintf(index, sizeof index, "%u", choice->items[(choice->first + r) % choice->count]);
    def.device = index;
    return weir_device_create(&def, device);
}

weir_result run_ranks_take_turn(const run_options *options, app_context *work)
{
    device_choice choice;
    if (options->job.host_rank == 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(find_devices(options, work, &choice));
    if (choice.count == 1) return WEIR_OK;
    weir_device_destroy(&work->device);
    WEIR_RETURN_IF_ERROR(
        create_device(options, &choice, options->job.host_rank, &work->log, &work->device));
    weir_device_get_info(work->device, &work->info);
    return WEIR_OK;
}

static void report_job(const app_context *work, const weir_comm_info *job)
{
    base_log(&work->log, WEIR_LOG_INFO, "%u ranks by %s, %u on this computer, on devices named %s",
             job->size, job->library, job->host_size, work->info.name);
}

weir_result run_ranks_open(const run_options *options, app_context *work, run_ranks *ranks)
{
    device_choice choice;
    *ranks = (run_ranks){.count = 1, .devices = {work->device}};
    WEIR_RETURN_IF_ERROR(check_options(&work->log, options));
    if (options->job.size > 1) report_job(work, &options->job);
    if (options->ranks == 1) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(find_devices(options, work, &choice));
    weir_log errors = work->log; /* the log of the first rank reports for all */
    errors.level = WEIR_LOG_ERROR;
    for (; ranks->count < options->ranks; ranks->count++)
        WEIR_RETURN_IF_ERROR(
            create_device(options, &choice, ranks->count, &errors, &ranks->devices[ranks->count]));
    base_log(&work->log, WEIR_LOG_INFO, "%u ranks on %u device%s named %s", ranks->count,
             choice.count < ranks->count ? choice.count : ranks->count,
             base_plural(choice.count < ranks->count ? choice.count : ranks->count),
             work->info.name);
    return WEIR_OK;
}

weir_result run_ranks_report(const weir_log *log, weir_sim *sim, uint64_t substeps, double wall_s)
{
    weir_rank_info ranks[WEIR_MAX_RANKS];
    uint32_t count = WEIR_MAX_RANKS;
    const double steps = fmax((double)substeps, 1.0);
    WEIR_RETURN_IF_ERROR(weir_sim_get_ranks(sim, ranks, &count));
    for (uint32_t r = 0; r < count && count > 1; r++)
        base_log(log, WEIR_LOG_INFO,
                 "rank %u: %u particles, %u ghosts (%.0f %%); a substep: %.2f MB in %.0f messages, "
                 "%.0f sums; it waits for others %.0f %% of the time",
                 r, ranks[r].particles, ranks[r].ghosts,
                 100.0 * ranks[r].ghosts / fmax(ranks[r].particles, 1.0),
                 (double)ranks[r].bytes_sent / steps / 1e6, (double)ranks[r].messages / steps,
                 (double)ranks[r].sums / steps, 100.0 * ranks[r].waiting_s / fmax(wall_s, 1e-9));
    return WEIR_OK;
}

uint32_t run_ranks_close(run_ranks *ranks)
{
    uint32_t complaints = 0;
    for (uint32_t r = 1; r < ranks->count; r++) {
        complaints += weir_device_validation_count(ranks->devices[r]);
        weir_device_destroy(&ranks->devices[r]);
    }
    ranks->count = 0;
    return complaints;
}
