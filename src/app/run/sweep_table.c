/* The table of a sweep: a row per run, from the run itself or from its finished folder. */
#include "run_internal.h"

#include <jansson.h>

#define STATS_FILE_MAX ((size_t)1 << 30)

/* ---- statistics of a run -------------------------------------------------------------------- */

static double total_energy(const weir_stats *stats)
{
    return stats->kinetic_energy_j + stats->potential_energy_j;
}

void sweep_add_frame(sweep_run *run, const weir_stats *stats)
{
    if (stats->frame == 1) run->energy_first = total_energy(stats);
    double share = stats->frame ? 1.0 / (double)stats->frame : 0.0;
    run->error_mean += share * (stats->density_error_mean - run->error_mean);
    run->error_max = fmax(run->error_max, stats->density_error_max);
    run->iterations += stats->iterations_in_frame;
    run->substeps += stats->substeps_in_frame;
    run->unconverged_substeps += stats->unconverged_substeps;
    run->last = *stats;
}

/* ---- a finished folder ---------------------------------------------------------------------- */

/* The columns of stats.csv that the table needs. */
enum {
    FRAME,
    TIME,
    SUBSTEPS,
    PARTICLES,
    ERROR_MEAN,
    ERROR_MAX,
    ITERATIONS,
    UNCONVERGED,
    NEIGHBOURS,
    SPEED,
    KINETIC,
    POTENTIAL,
    COMPRESSION,
    COLUMNS
};
static const char *const column_names[COLUMNS] = {"frame",
                                                  "time_s",
                                                  "substeps_in_frame",
                                                  "particle_count",
                                                  "density_error_mean",
                                                  "density_error_max",
                                                  "iterations_in_frame",
                                                  "unconverged_substeps",
                                                  "neighbours_mean",
                                                  "speed_max_m_s",
                                                  "kinetic_energy_j",
                                                  "potential_energy_j",
                                                  "predicted_compression"};

/* Returns the end of the cell at `at`: a comma, a line end or `end`. */
static const char *cell_end(const char *at, const char *end)
{
    while (at < end && *at != ',' && *at != '\n' && *at != '\r')
        ++at;
    return at;
}

/* Finds the place of each needed column in the header; returns false if one is missing. */
static bool find_columns(const char *at, const char *end, uint32_t places[COLUMNS])
{
    bool all = true;
    memset(places, 0xff, COLUMNS * sizeof *places);
    for (uint32_t place = 0; at <= end; ++place) {
        const char *last = cell_end(at, end);
        for (uint32_t k = 0; k < COLUMNS; ++k)
            if (strlen(column_names[k]) == (size_t)(last - at) &&
                strncmp(column_names[k], at, (size_t)(last - at)) == 0)
                places[k] = place;
        at = last + 1;
    }
    for (uint32_t k = 0; k < COLUMNS; ++k)
        all = all && places[k] != UINT32_MAX;
    return all;
}

/* Adds a line of stats.csv. Frame 0 is not part of the statistics. */
static void add_line(sweep_run *run, const char *at, const char *end,
                     const uint32_t places[COLUMNS])
{
    double values[COLUMNS] = {0};
    for (uint32_t place = 0; at <= end; ++place) {
        const char *last = cell_end(at, end), *next;
        for (uint32_t k = 0; k < COLUMNS; ++k)
            if (places[k] == place && last > at) base_parse_double(at, last, &values[k], &next);
        at = last + 1;
    }
    if (values[FRAME] < 1.0) return;
    const weir_stats stats = {
        .frame = (uint64_t)values[FRAME],
        .time_s = values[TIME],
        .substeps_in_frame = (uint32_t)values[SUBSTEPS],
        .particle_count = (uint32_t)values[PARTICLES],
        .density_error_mean = values[ERROR_MEAN],
        .density_error_max = values[ERROR_MAX],
        .iterations_in_frame = (uint32_t)values[ITERATIONS],
        .unconverged_substeps = (uint32_t)values[UNCONVERGED],
        .neighbours_mean = values[NEIGHBOURS],
        .speed_max_m_s = values[SPEED],
        .kinetic_energy_j = values[KINETIC],
        .potential_energy_j = values[POTENTIAL],
        .predicted_compression = values[COMPRESSION],
    };
    sweep_add_frame(run, &stats);
}

static weir_result read_stats(const weir_log *log, sweep_run *run)
{
    uint32_t places[COLUMNS];
    base_blob blob = {0};
    char *path = base_path_join(run->folder, "stats.csv");
    weir_result result = path ? base_text_file_read(log, path, STATS_FILE_MAX, &blob)
                              : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a name");
    const char *at = (const char *)blob.bytes, *end = at + blob.size;
    for (bool header = true; result == WEIR_OK && at < end; header = false) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        if (!line_end) line_end = end;
        if (header && !find_columns(at, line_end, places))
            result = base_fail(log, WEIR_ERROR_IO,
                               "%s:1: a column that a sweep's table needs is missing: run it "
                               "again with this version",
                               path);
        if (!header && line_end > at) add_line(run, at, line_end, places);
        at = line_end + 1;
    }
    base_blob_free(&blob);
    base_free(path);
    return result;
}

/* Reads how the run ended; "missing" without a run.json. */
static void read_outcome(sweep_run *run)
{
    char *path = base_path_join(run->folder, "run.json");
    json_t *json = path && base_path_is_file(path) ? json_load_file(path, 0, NULL) : NULL;
    const char *status = json_string_value(json_object_get(json, "status"));
    const char *reason = json_string_value(json_object_get(json, "result"));
    if (json_is_true(json_object_get(json, "complete")))
        status = weir_result_name(WEIR_OK);
    else if (reason)
        status = reason;
    snprintf(run->outcome, sizeof run->outcome, "%s",
             status ? status
             : json ? "unfinished"
                    : "missing");
    json_decref(json);
    base_free(path);
}

weir_result sweep_read_run(const weir_log *log, sweep_run *run)
{
    char *path = base_path_join(run->folder, "stats.csv");
    const bool started = path && base_path_is_file(path);
    base_free(path);
    run->last = (weir_stats){0};
    run->error_mean = run->error_max = run->energy_first = 0.0;
    run->iterations = run->substeps = run->unconverged_substeps = 0;
    read_outcome(run);
    return started ? read_stats(log, run) : WEIR_OK;
}

bool sweep_run_is_complete(const sweep_run *run)
{
    return strcmp(run->outcome, weir_result_name(WEIR_OK)) == 0;
}

/* ---- the table ------------------------------------------------------------------------------ */

/* Returns the mean number of iterations per substep. */
static double mean_iterations(const sweep_run *run)
{
    return run->substeps ? (double)run->iterations / (double)run->substeps : 0.0;
}

static bool append_run(base_text *text, const sweep_run *run)
{
    const weir_stats *s = &run->last;
    char seconds[32] = "";
    if (run->seconds >= 0.0) snprintf(seconds, sizeof seconds, "%.3f", run->seconds);
    return app_csv_append_quoted(text, run->label) &&
           base_text_append(
               text, ",%s,%llu,%.6g,%u,%.6g,%.6g,%.4g,%llu,%.6g,%.6g,%.6g,%.6g,%.6g,%s\n",
               run->outcome, (unsigned long long)s->frame, s->time_s, s->particle_count,
               run->error_mean, run->error_max, mean_iterations(run),
               (unsigned long long)run->unconverged_substeps, s->predicted_compression,
               s->neighbours_mean, run->energy_first, total_energy(s), s->speed_max_m_s, seconds);
}

static const char header[] =
    "setting,result,frames,time_s,particles,density_error_mean,density_error_max,iterations,"
    "unconverged_substeps,"
    "predicted_compression,neighbours_mean,energy_first_j,energy_last_j,speed_max_m_s,wall_s\n";

static void print_run(const sweep_run *run)
{
    const weir_stats *s = &run->last;
    char seconds[32] = "";
    if (run->seconds >= 0.0) snprintf(seconds, sizeof seconds, "%.1f", run->seconds);
    printf("%-34s %9u %9.3f%% %9.3f%% %10.1f %9.3f%% %11.4g %9.3g %8s  %s\n", run->label,
           s->particle_count, 100 * run->error_mean, 100 * run->error_max, mean_iterations(run),
           100 * s->predicted_compression, total_energy(s), s->speed_max_m_s, seconds,
           sweep_run_is_complete(run) ? "" : run->outcome);
}

weir_result sweep_finish(const weir_log *log, const sweep *s, const char *folder)
{
    base_text text = {0};
    char *path = base_path_join(folder, "sweep.csv");
    bool ok = path && base_text_append(&text, "%s", header);
    printf("%-34s %9s %10s %10s %10s %10s %11s %9s %8s\n", "setting", "particles", "error mean",
           "max", "iterations", "predicted", "energy J", "speed", "seconds");
    for (size_t i = 0; ok && i < s->runs.count; ++i) {
        print_run(&s->runs.items[i]);
        ok = append_run(&text, &s->runs.items[i]);
    }
    weir_result result = ok ? base_file_write(log, path, text.items, text.count)
                            : base_fail(log, WEIR_ERROR_MEMORY, "not enough memory for a table");
    base_free(path);
    base_free(text.items);
    return result;
}
