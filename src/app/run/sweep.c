/* --sweep: several runs with different values of one key, and a table that compares them. */
#include "run_internal.h"

/* Returns the end of the value at `at`: the next comma outside brackets and quotes. */
static const char *find_value_end(const char *at)
{
    int depth = 0;
    bool quoted = false;
    for (; *at; ++at) {
        if (*at == '"') quoted = !quoted;
        if (quoted) continue;
        depth += *at == '[' || *at == '{';
        depth -= *at == ']' || *at == '}';
        if (*at == ',' && depth == 0) break;
    }
    return at;
}

/* Returns "DIR/key=value"; characters that are invalid in file names are replaced. */
static char *setting_folder(const char *folder, const char *setting)
{
    char *name = base_strdup(setting);
    for (char *c = name; c && *c; ++c)
        if (strchr("/\\:*?\"<>| [],{}", *c)) *c = '_';
    char *path = name ? base_path_join(folder, name) : NULL;
    base_free(name);
    return path;
}

bool sweep_parse(const char *text, const char *folder, sweep *s)
{
    const char *equals = strchr(text, '=');
    if (!equals || equals == text || !equals[1]) {
        fprintf(stderr, "weir: --sweep: \"%s\" is not of the form KEY=VALUE,VALUE\n", text);
        return false;
    }
    for (const char *at = equals + 1, *end; at; at = *end ? end + 1 : NULL) {
        sweep_run run = {0};
        end = find_value_end(at);
        if (end == at) {
            fprintf(stderr, "weir: --sweep: \"%s\" has an empty value\n", text);
            return false;
        }
        run.setting = base_format("%.*s=%.*s", (int)(equals - text), text, (int)(end - at), at);
        run.folder = run.setting ? setting_folder(folder, run.setting) : NULL;
        if (run.folder && BASE_ARRAY_PUSH(&s->runs, run)) continue;
        base_free(run.setting);
        base_free(run.folder);
        fprintf(stderr, "weir: --sweep: out of memory\n");
        return false;
    }
    return true;
}

void sweep_free(sweep *s)
{
    for (size_t i = 0; i < s->runs.count; ++i) {
        base_free(s->runs.items[i].setting);
        base_free(s->runs.items[i].folder);
    }
    BASE_ARRAY_FREE(&s->runs);
}

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

/* Returns the mean number of iterations per substep. */
static double mean_iterations(const sweep_run *run)
{
    return run->substeps ? (double)run->iterations / (double)run->substeps : 0.0;
}

static bool append_run(base_text *text, const sweep_run *run)
{
    const weir_stats *s = &run->last;
    return app_csv_append_quoted(text, run->setting) &&
           base_text_append(text,
                            ",%s,%llu,%.6g,%u,%.6g,%.6g,%.4g,%llu,%.6g,%.6g,%.6g,%.6g,%.6g,%.3f\n",
                            weir_result_name(run->result), (unsigned long long)s->frame, s->time_s,
                            s->particle_count, run->error_mean, run->error_max,
                            mean_iterations(run), (unsigned long long)run->unconverged_substeps,
                            s->predicted_compression, s->neighbours_mean, run->energy_first,
                            total_energy(s), s->speed_max_m_s, run->seconds);
}

static const char header[] =
    "setting,result,frames,time_s,particles,density_error_mean,density_error_max,iterations,"
    "unconverged_substeps,"
    "predicted_compression,neighbours_mean,energy_first_j,energy_last_j,speed_max_m_s,wall_s\n";

static void print_run(const sweep_run *run)
{
    const weir_stats *s = &run->last;
    printf("%-34s %9u %9.3f%% %9.3f%% %10.1f %9.3f%% %11.4g %9.3g %8.1f  %s\n", run->setting,
           s->particle_count, 100 * run->error_mean, 100 * run->error_max, mean_iterations(run),
           100 * s->predicted_compression, total_energy(s), s->speed_max_m_s, run->seconds,
           run->result == WEIR_OK ? "" : weir_result_name(run->result));
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
