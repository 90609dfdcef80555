/* weir bench: GPU times per pass. */
#include "app.h"

#define WARM_UP_FRAMES 2
#define ROWS_MAX 128

typedef struct bench_result {
    weir_row_time rows[ROWS_MAX];
    uint32_t row_count;
    uint64_t substeps;
    double wall_ms;  /* of all measured substeps, waiting included */
    double rows_ms;  /* sum of all rows */
    double group_ms; /* of the rows that repeat: the solver's iterations */
    weir_stats stats;
} bench_result;

static double per_second(double work, double ms)
{
    return ms > 0 ? 1000 * work / ms : 0;
}

/* Without timestamps only the clock on the wall is read: there are no rows then. */
static weir_result measure(weir_sim *sim, uint32_t substeps, bool timestamps, bench_result *bench)
{
    weir_result result = WEIR_OK;
    for (int i = 0; i < WARM_UP_FRAMES; ++i)
        WEIR_TRY(weir_sim_step(sim, 0));
    WEIR_TRY(weir_sim_stats(sim, &bench->stats));
    uint64_t first = bench->stats.substep;
    weir_sim_row_times_reset(sim);
    double start = base_time_s();
    do {
        WEIR_TRY(weir_sim_step(sim, 0));
        WEIR_TRY(weir_sim_stats(sim, &bench->stats));
        bench->substeps = bench->stats.substep - first;
    } while (bench->substeps < substeps && !base_interrupted());
    bench->wall_ms = 1000 * (base_time_s() - start);
    WEIR_TRY(weir_sim_wait(sim)); /* an unstable last frame is no measurement */

    if (!timestamps) return WEIR_OK;
    bench->row_count = ROWS_MAX;
    WEIR_TRY(weir_sim_row_times(sim, bench->rows, &bench->row_count));
    if (bench->row_count > ROWS_MAX) bench->row_count = ROWS_MAX;
    for (uint32_t i = 0; i < bench->row_count; ++i) {
        bench->rows_ms += bench->rows[i].total_ms;
        if (bench->rows[i].group[0]) bench->group_ms += bench->rows[i].total_ms;
    }
fail:
    return result;
}

static void print_rows(const bench_result *bench)
{
    printf("%-28s %8s %12s %14s %7s %12s %9s\n", "pass", "calls", "median ms", "ms/substep",
           "share", "bytes/call", "GB/s");
    for (uint32_t i = 0; i < bench->row_count; ++i) {
        const weir_row_time *row = &bench->rows[i];
        char bytes[32], name[64];
        snprintf(name, sizeof name, "%s%s", row->group[0] ? "* " : "  ", row->name);
        printf("%-28s %8u %12.4f %14.4f %6.1f%% %12s %9.1f\n", name, row->calls, row->median_ms,
               row->total_ms / (double)bench->substeps,
               bench->rows_ms > 0 ? 100 * row->total_ms / bench->rows_ms : 0,
               app_print_bytes(bytes, row->bytes), per_second(row->bytes, row->median_ms) * 1e-9);
    }
    printf("* repeats: once per iteration\n\n");
}

static void print_totals(const bench_result *bench, const app_work *work)
{
    const weir_stats *stats = &bench->stats;
    double substeps = (double)bench->substeps;
    double work_done = (double)stats->particle_count * substeps * work->scene_info.iterations;
    printf("device               %s, %s\n", work->info.name, work->info.driver);
    printf("scene                %s: %u particles, %u iterations, %.1f neighbours on average\n",
           work->scene_info.name, stats->particle_count, work->scene_info.iterations,
           stats->neighbours_mean);
    printf("substeps             %llu\n", (unsigned long long)bench->substeps);
    printf("ms per substep       %.3f by the clock", bench->wall_ms / substeps);
    if (work->info.timestamps) printf(", %.3f on the device", bench->rows_ms / substeps);
    printf("\nparticle-iterations  %.3g per second all in", per_second(work_done, bench->wall_ms));
    if (work->info.timestamps)
        printf(", %.3g in the iterations alone", per_second(work_done, bench->group_ms));
    printf("\n");
    printf("density error        %.3f %% mean, %.3f %% max\n", 100 * stats->density_error_mean,
           100 * stats->density_error_max);
    printf("memory               %.0f bytes per particle\n", stats->memory_bytes_per_particle);
}

static bool append_csv(base_text *csv, const bench_result *bench)
{
    bool ok = base_text_append(csv, "pass,group,calls,median_ms,total_ms,ms_per_substep,share,"
                                    "bytes_per_call,gb_per_s\n");
    for (uint32_t i = 0; ok && i < bench->row_count; ++i) {
        const weir_row_time *row = &bench->rows[i];
        ok = base_text_append(csv, "%s,%s,%u,%.6f,%.6f,%.6f,%.6f,%.0f,%.3f\n", row->name,
                              row->group, row->calls, row->median_ms, row->total_ms,
                              row->total_ms / (double)bench->substeps,
                              bench->rows_ms > 0 ? row->total_ms / bench->rows_ms : 0, row->bytes,
                              per_second(row->bytes, row->median_ms) * 1e-9);
    }
    return ok;
}

static weir_result write_csv(const weir_log *log, const char *path, const bench_result *bench)
{
    base_text csv = {0};
    weir_result result = append_csv(&csv, bench)
                             ? base_file_write(log, path, csv.items, csv.count)
                             : base_fail(log, WEIR_MEMORY, "%s: no memory for its rows", path);
    base_free(csv.items);
    return result;
}

static weir_result run_bench(const app_work *work, uint32_t substeps, const char *csv)
{
    static bench_result bench;
    weir_sim *sim = NULL;
    weir_result result = WEIR_OK;
    WEIR_TRY(weir_sim_create(work->device, work->scene, &sim));
    WEIR_TRY(measure(sim, substeps, work->info.timestamps, &bench));
    if (work->info.timestamps) print_rows(&bench);
    if (!work->info.timestamps) printf("the device has no timestamps: no times per pass\n\n");
    print_totals(&bench, work);
    if (csv) WEIR_TRY(write_csv(&work->log, csv, &bench));
fail:
    weir_sim_destroy(&sim);
    return result;
}

int bench_main(int argc, char **argv)
{
    app_source source = {0};
    uint32_t substeps = 40;
    const char *csv = NULL;
    const args_option options[] = {
        {"substeps", 'n', ARGS_COUNT, &substeps, "N",
         "substeps to measure at least, in whole frames; default 40", NULL, 0},
        {"csv", 0, ARGS_TEXT, &csv, "FILE", "write the table of passes there too", NULL, 0},
        APP_SOURCE_OPTIONS(source)};
    const args_command command = {
        .name = "bench",
        .usage = "[SCENE] [options]",
        .about =
            "Runs two frames to warm up, then measures: for each pass the calls, the median GPU\n"
            "time of a call, milliseconds per substep, its share, the bytes it must move at least\n"
            "and the rate that follows; then particle-iterations per second, for the iterations\n"
            "alone and with everything. Without a scene: the built-in dam break.",
        .examples = "weir bench\n"
                    "weir bench scenes/dam_break.json --substeps 200 --csv bench.csv",
        .options = options,
        .option_count = BASE_COUNT(options),
        .operand = &source.scene,
    };
    args_outcome outcome = args_parse(&command, argc, argv);
    if (outcome != ARGS_RUN) return outcome == ARGS_HELP ? APP_DONE : APP_WRONG_USE;

    app_work work;
    weir_result result = app_work_open(&source, &work);
    if (result != WEIR_OK) return app_work_status(&work, result);
    base_interrupt_install();
    result = run_bench(&work, substeps, csv);
    int status = app_work_status(&work, result);
    app_work_close(&work);
    return status;
}
