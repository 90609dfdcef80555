/* Prints the results of `weir bench` as text and as CSV. */
#include "bench_internal.h"

static double per_second(double work, double ms)
{
    return ms > 0 ? 1000 * work / ms : 0;
}

static void print_value(const char *name, double value, const char *unit)
{
    if (isfinite(value)) printf(", %s %.0f %s", name, value, unit);
}

static void print_machine(const char *when, const bench_machine_state *machine)
{
    printf("%-21s", when);
    bool any = isfinite(machine->gpu_mhz) || isfinite(machine->cpu_mhz) ||
               isfinite(machine->gpu_c) || isfinite(machine->cpu_c);
    printf("%s", any ? "clocks and temperatures" : "clocks and temperatures: not available");
    print_value("GPU", machine->gpu_mhz, "MHz");
    print_value("GPU", machine->gpu_c, "C");
    print_value("GPU", machine->gpu_w, "W");
    print_value("CPU", machine->cpu_mhz, "MHz");
    print_value("CPU", machine->cpu_c, "C");
    printf("\n");
}

void bench_print_device(const bench_report *report)
{
    const weir_device_peaks *c = &report->ceilings;
    printf("device               %s, %s\n", report->info.name, report->info.driver);
    print_machine("before", &report->before);
    if (report->measured_ceilings)
        printf("ceilings             copy %.1f GB/s, cache %.1f GB/s, atomics %.3g G/s, FMA %.1f "
               "GFLOP/s,\n                     empty dispatch %.1f us, indirect %.1f us, skipped "
               "%.1f us\n",
               c->copy_gb_s, c->cache_gb_s, c->atomics_g_s, c->fma_gflop_s, c->dispatch_us,
               c->indirect_dispatch_us, c->skipped_dispatch_us);
    else
        printf("ceilings             n/a: the device has no timestamps\n");
    if (report->serialize) printf("passes never overlap (--serialize)\n");
    printf("\n");
}

static void print_pass(const bench_report *report, const bench_result *result,
                       const weir_pass_time *pass)
{
    char name[64], bound[48] = "";
    double sum = bench_sum_passes_ms(result), each = bench_pass_ms_per_substep(result, pass);
    bench_limit most = bench_find_limit(&report->reached, pass);
    if (most.name[0] && pass->median_ms > 0)
        snprintf(bound, sizeof bound, "%3.0f %% of %s", 100 * most.ms / pass->median_ms, most.name);
    bool repeats = pass->group[0] && result->what.work == BENCH_STEPS;
    snprintf(name, sizeof name, "%s%s", repeats ? "* " : "  ", pass->name);
    printf("%-32s %6u %10.4f %8.4f-%-8.4f %9.4f %5.1f%% %8.2f %7.1f %8.1f  %s\n", name, pass->calls,
           pass->median_ms, pass->lower_quartile_ms, pass->upper_quartile_ms, each,
           sum > 0 ? 100 * each / sum : 0, pass->bytes * 1e-6,
           per_second(pass->bytes, pass->median_ms) * 1e-9,
           per_second(pass->flops, pass->median_ms) * 1e-9, bound);
}

static void print_pipelines(const bench_result *result)
{
    double cold = 0, warm = 0;
    for (uint32_t i = 0; i < result->pass_count; ++i) {
        const weir_pass_time *pass = &result->passes[i];
        cold += pass->compile_cold_ms;
        warm += pass->compile_warm_ms;
        if (pass->registers == UINT32_MAX || pass->is_total) continue;
        printf("  %-30s %u registers, %u bytes spilled, subgroups of %u\n", pass->name,
               pass->registers, pass->spill_bytes, pass->subgroup_size);
    }
    if (cold > 0)
        printf("pipelines            %.1f ms to create without a cache, %.1f ms with one\n", cold,
               warm);
}

static void print_passes(const bench_report *report, const bench_result *result)
{
    static const char *const columns[] = {"/substep", "/mesh", "/picture"};
    if (result->pass_count == 0) {
        printf("n/a: the device has no timestamps, so there are no times per pass\n");
        return;
    }
    printf("%-32s %6s %10s %-17s %9s %6s %8s %7s %8s  %s\n", "pass", "calls", "median ms",
           " quartiles", columns[result->what.work], "share", "MB/call", "GB/s", "GFLOP/s",
           "bound");
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (!result->passes[i].is_total) print_pass(report, result, &result->passes[i]);
    if (result->what.work == BENCH_STEPS) printf("* repeats: once per iteration\n");
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (result->passes[i].invocations > 0)
            printf("  %-30s %.0f shader invocations per call\n", result->passes[i].name,
                   result->passes[i].invocations);
}

/* Reports whether the pass's stage was listed already; a stage may occupy two places in the
 * list. */
static bool was_earlier(const bench_result *result, uint32_t pass)
{
    for (uint32_t i = 0; i < pass; ++i)
        if (strcmp(result->passes[i].stage, result->passes[pass].stage) == 0) return true;
    return false;
}

/* Returns the time of one stage; with NULL, of all passes that belong to a stage. */
static double stage_ms(const bench_result *result, const char *stage)
{
    double sum = 0;
    for (uint32_t i = 0; i < result->pass_count; ++i) {
        const weir_pass_time *pass = &result->passes[i];
        if (stage ? strcmp(pass->stage, stage) == 0 : pass->stage[0] != '\0')
            sum += bench_pass_ms_per_substep(result, pass);
    }
    return sum;
}

static void print_stages(const bench_result *result)
{
    double all = stage_ms(result, NULL);
    const char *between = "";
    printf("stages              ");
    for (uint32_t i = 0; i < result->pass_count; ++i) {
        const char *stage = result->passes[i].stage;
        if (!stage[0] || was_earlier(result, i)) continue;
        printf("%s %s %.0f %%", between, stage, all > 0 ? 100 * stage_ms(result, stage) / all : 0);
        between = ",";
    }
    printf("\n");
}

static void print_rates(const bench_result *result)
{
    const weir_stats *stats = &result->stats;
    double group_ms = 0, substeps = (double)result->substeps;
    double work = (double)stats->particle_count * substeps * result->iterations_each;
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (result->passes[i].group[0]) group_ms += result->passes[i].total_ms;
    const weir_pass_time *substep = bench_substep_times(result);
    printf("substeps             %.0f; ms each: %.3f wall clock, %.3f of processors", substeps,
           result->wall_ms / substeps, result->processor_ms / substeps);
    if (substep)
        printf(", %.3f on the device (quartiles %.3f-%.3f)", substep->median_ms,
               substep->lower_quartile_ms, substep->upper_quartile_ms);
    if (result->what.paper_ms > 0)
        printf("\npaper                %.1f ms on a GTX 680 (2012)", result->what.paper_ms);
    printf("\nCPU                  %.3f ms to record and submit a frame\n", result->record_ms);
    printf("particle-iterations  %.3g per second overall", per_second(work, result->wall_ms));
    if (group_ms > 0) printf(", %.3g in the iterations only", per_second(work, group_ms));
    double pairs = stats->particle_count * stats->neighbours_mean;
    printf("\n");
    if (pairs > 0)
        printf("neighbour pairs      %.2f ns each per substep\n",
               1e6 * result->wall_ms / substeps / pairs);
}

static void print_meshes(const bench_result *result)
{
    double meshes = (double)result->frames, triangles = (double)result->triangles;
    printf("meshes               %.0f; ms each: %.3f wall clock, %.3f in passes", meshes,
           result->wall_ms / meshes, bench_sum_passes_ms(result));
    if (result->write_ms > 0) printf(", %.3f writing OBJ", result->write_ms / meshes);
    printf("\n");
    printf("each                 %u vertices, %u triangles; %.3g triangles, %.3g particles per "
           "second\n",
           result->vertices, result->triangles, per_second(meshes * triangles, result->wall_ms),
           per_second(meshes * result->stats.particle_count, result->wall_ms));
}

static void print_pictures(const bench_result *result)
{
    double pictures = (double)result->frames;
    printf(
        "pictures             %.0f of %u x %u pixels; ms each: %.3f wall clock, %.3f in passes\n",
        pictures, result->width, result->height, result->wall_ms / pictures,
        bench_sum_passes_ms(result));
}

static void print_memory(const bench_result *result)
{
    char now[32], peak[32];
    printf("                    ");
    for (uint32_t i = 0; i < WEIR_MODULE_COUNT && result->modules[i].name; ++i)
        printf("%s %s %s (peak %s)", i ? "," : "", result->modules[i].name,
               app_print_bytes(now, (double)result->modules[i].bytes),
               app_print_bytes(peak, (double)result->modules[i].peak_bytes));
    printf("\n");
}

void bench_print_result(const bench_report *report, const bench_result *result)
{
    const weir_stats *stats = &result->stats;
    printf("%s%s%s\n", result->what.suite[0] ? result->what.suite : "scene",
           result->what.name[0] ? ": " : "", result->what.name);
    if (result->skipped[0]) {
        printf("skipped: %s\n\n", result->skipped);
        return;
    }
    print_passes(report, result);
    printf("scene                %s: %u particles, %.3g iterations, %.1f neighbours on average\n",
           result->scene_name, stats->particle_count, result->iterations_each,
           stats->neighbours_mean);
    bool steps = result->what.work == BENCH_STEPS;
    if (result->what.work == BENCH_MESHES) print_meshes(result);
    if (result->what.work == BENCH_PICTURES) print_pictures(result);
    if (steps && !result->alone) print_rates(result);
    if (steps && result->pass_count > 1) print_stages(result);
    if (result->longest_submission_ms > 0)
        printf("longest submission   %.1f ms on the device, warm-up included\n",
               result->longest_submission_ms);
    printf("density error        %.3f %% mean, %.3f %% max\n", 100 * stats->density_error_mean,
           100 * stats->density_error_max);
    printf("memory               %.0f bytes per particle\n", stats->memory_bytes_per_particle);
    print_memory(result);
    print_pipelines(result);
    printf("\n");
}

/* ---- CSV ------------------------------------------------------------------------------------ */

static bool append_pass(base_text *csv, const bench_report *report, const bench_result *result,
                        const weir_pass_time *pass)
{
    char line[1024];
    double sum = bench_sum_passes_ms(result), each = bench_pass_ms_per_substep(result, pass);
    bench_limit most = bench_find_limit(&report->reached, pass);
    snprintf(line, sizeof line,
             "%s,%s,%u,%.6f,%.6f,%.6f,%.6f,%.6f,%.6f,%.0f,%.3f,%.0f,%.3f,%s,%.6f,%s,%s,%u\n",
             pass->name, pass->group, pass->calls, pass->median_ms, pass->lower_quartile_ms,
             pass->upper_quartile_ms, pass->total_ms, each, sum > 0 ? each / sum : 0, pass->bytes,
             per_second(pass->bytes, pass->median_ms) * 1e-9, pass->flops,
             per_second(pass->flops, pass->median_ms) * 1e-9, most.name, most.ms,
             result->what.suite, result->what.name, result->stats.particle_count);
    return base_text_append(csv, "%s", line);
}

weir_result bench_write_csv(const bench_report *report, const char *path)
{
    base_text csv = {0};
    bool ok = base_text_append(
        &csv, "pass,group,calls,median_ms,lower_quartile_ms,upper_quartile_ms,total_ms,"
              "ms_per_substep,share,bytes_per_call,gb_per_s,flops_per_call,"
              "gflop_per_s,bound,bound_ms,suite,case,particles\n");
    for (size_t r = 0; ok && r < report->results.count; ++r) {
        const bench_result *result = &report->results.items[r];
        for (uint32_t i = 0; ok && i < result->pass_count; ++i)
            if (!result->passes[i].is_total)
                ok = append_pass(&csv, report, result, &result->passes[i]);
    }
    weir_result written =
        ok ? base_file_write(&report->log, path, csv.items, csv.count)
           : base_fail(&report->log, WEIR_ERROR_MEMORY, "%s: not enough memory", path);
    base_free(csv.items);
    return written;
}
