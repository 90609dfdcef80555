/* Measures one scene: warms up, then runs frames without reading anything back. */
#include "bench_internal.h"

/* ---- results -------------------------------------------------------------------------------- */

const weir_pass_time *bench_substep_times(const bench_result *result)
{
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (result->passes[i].is_total && strcmp(result->passes[i].name, "substep") == 0)
            return &result->passes[i];
    return NULL;
}

/* Returns the time of a pass per substep. A pass that was timed alone did not run in substeps, so
 * its median is used. */
double bench_pass_ms_per_substep(const bench_result *result, const weir_pass_time *pass)
{
    bool repeats = pass->group[0] && result->what.work == BENCH_STEPS;
    if (result->alone) return pass->median_ms * (repeats ? result->iterations_each : 1);
    return result->substeps ? pass->total_ms / (double)result->substeps : 0;
}

double bench_sum_passes_ms(const bench_result *result)
{
    double sum = 0;
    for (uint32_t i = 0; i < result->pass_count; ++i)
        if (!result->passes[i].is_total)
            sum += bench_pass_ms_per_substep(result, &result->passes[i]);
    return sum;
}

/* ---- one scene ------------------------------------------------------------------------------ */

typedef struct case_measurement {
    bench_report *report;
    const bench_options *options;
    bench_result *result;
    weir_scene *scene;
    weir_scene_info info;
    weir_sim *sim;
    app_capture capture;
    uint64_t frame; /* counted from the first, including warm-up */
} case_measurement;

static weir_result skip_case(case_measurement *m, const char *why)
{
    snprintf(m->result->skipped, sizeof m->result->skipped, "%s", why);
    return WEIR_OK;
}

static app_scene_options scene_options_of(const case_measurement *m)
{
    app_scene_options source = m->options->source;
    const bench_case *what = &m->result->what;
    source.scene = what->scene;
    args_list set = {0};
    for (uint32_t i = 0; i < BENCH_SETS && what->sets[i]; ++i)
        set.items[set.count++] = what->sets[i];
    /* Goes last, because the user's values replace those of the case. */
    for (uint32_t i = 0; i < source.set.count && set.count < ARGS_LIST_MAX; ++i)
        set.items[set.count++] = source.set.items[i];
    source.set = set;
    return source;
}

/* Loads the scene; with another spacing unless `spacing_m` is 0. Where the case will be skipped, a
 * bound of its particles is enough: counting 300 million takes minutes and gigabytes. */
static weir_result load_scene(case_measurement *m, double spacing_m, weir_estimate *needs)
{
    app_scene_options source = scene_options_of(m);
    weir_scene_destroy(&m->scene);
    WEIR_RETURN_IF_ERROR(app_scene_load(&source, &m->report->log, spacing_m, &m->scene));
    weir_scene_get_info(m->scene, &m->info);
    snprintf(m->result->scene_name, sizeof m->result->scene_name, "%s", m->info.name);
    m->result->iterations = m->info.iterations;
    double most = (double)m->options->most;
    bool skipped = most > 0 && m->result->what.particles > most;
    return weir_scene_estimate(m->scene, skipped ? NULL : m->report->device, needs);
}

#define SIZE_TRIES 4
#define SIZE_TOLERANCE 0.04

/* Loads the scene with about as many particles as the case specifies. A lattice fills a box with
 * whole layers, so the number changes in steps and several spacings may have to be tried. */
static weir_result load_sized(case_measurement *m, weir_estimate *needs)
{
    double wanted = m->result->what.particles;
    WEIR_RETURN_IF_ERROR(load_scene(m, 0, needs));
    for (int i = 0; wanted > 0 && i < SIZE_TRIES; ++i) {
        if (fabs((double)needs->particles / wanted - 1) < SIZE_TOLERANCE) break;
        WEIR_RETURN_IF_ERROR(load_scene(m, app_spacing_for(m->scene, needs, wanted), needs));
    }
    return WEIR_OK;
}

/* Writes why the scene is skipped; "" if it is not. */
static const char *find_skip_reason(const case_measurement *m, const weir_estimate *needs,
                                    char out[256])
{
    char need[32], have[32];
    double most = (double)m->options->most;
    out[0] = '\0';
    if (most > 0 && (double)needs->particles > most)
        snprintf(out, 256, "it has %llu particles, more than --max-particles %u",
                 (unsigned long long)needs->particles, m->options->most);
    else if (needs->device_bytes > m->report->info.memory_bytes)
        snprintf(out, 256, "it needs %s of device memory, the device has %s",
                 app_print_bytes(need, (double)needs->device_bytes),
                 app_print_bytes(have, (double)m->report->info.memory_bytes));
    return out;
}

static weir_result step_frame(case_measurement *m)
{
    bool captured = m->capture.api && ++m->frame == m->options->capture;
    if (captured) app_capture_start(&m->capture);
    weir_result result = weir_sim_step(m->sim, 0);
    if (!captured) return result;
    if (result == WEIR_OK) result = weir_sim_wait(m->sim);
    weir_result ended = app_capture_end(&m->report->log, &m->capture, m->frame);
    return result == WEIR_OK ? ended : result;
}

static weir_result warm_up(case_measurement *m, double *frame_s)
{
    weir_stats stats;
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(m->sim, &stats));
    double start_s = base_time_s();
    for (uint32_t i = 0; i < m->options->warm_up; ++i) {
        start_s = base_time_s();
        WEIR_RETURN_IF_ERROR(step_frame(m));
        WEIR_RETURN_IF_ERROR(weir_sim_wait(m->sim));
    }
    *frame_s = base_time_s() - start_s;
    return WEIR_OK;
}

/* Returns the number of frames for --substeps, or fewer if they would take longer than
 * --seconds. */
static uint64_t choose_frames(const case_measurement *m, double frame_s)
{
    uint64_t wanted = (m->options->substeps + m->info.substeps - 1) / m->info.substeps;
    double fits = frame_s > 0 ? m->options->seconds / frame_s : 1e9;
    if ((double)wanted > fits) wanted = (uint64_t)fits;
    return wanted < 2 ? 2 : wanted;
}

static uint64_t held_bytes(const case_measurement *m)
{
    weir_device_info info;
    uint64_t bytes = 0;
    weir_device_get_info(m->report->device, &info);
    for (size_t i = 0; i < BASE_COUNT(info.modules); ++i)
        bytes += info.modules[i].bytes;
    return bytes;
}

weir_result bench_begin_trace(const bench_report *report, const bench_options *options)
{
    if (!options->trace || report->results.count > 0) return WEIR_OK;
    WEIR_RETURN_IF_ERROR(weir_trace_finish(report->device));
    return weir_trace_start(report->device, options->trace);
}

static weir_result measure_frames(case_measurement *m, uint64_t frames)
{
    weir_stats before;
    bench_result *r = m->result;
    WEIR_RETURN_IF_ERROR(bench_begin_trace(m->report, m->options));
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(m->sim, &before));
    weir_sim_reset_pass_times(m->sim);
    double start_s = base_time_s(), processor_s = base_process_cpu_time_s();
    for (r->frames = 0; r->frames < frames && !base_interrupted(); ++r->frames)
        WEIR_RETURN_IF_ERROR(step_frame(m));
    /* if the last frame is unstable, the measurement fails */
    WEIR_RETURN_IF_ERROR(weir_sim_wait(m->sim));
    r->wall_ms = 1000 * (base_time_s() - start_s);
    r->processor_ms = 1000 * (base_process_cpu_time_s() - processor_s);
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(m->sim, &r->stats));
    r->substeps = r->stats.substep - before.substep;
    r->iterations_each =
        r->substeps ? (double)(r->stats.iterations - before.iterations) / (double)r->substeps : 0;
    r->record_ms = r->stats.record_ms;
    return WEIR_OK;
}

/* Measures again, while --seconds last, if buffers had to be enlarged meanwhile: passes of the
 * frames that were then continued did nothing, and the program waited. */
static weir_result run_frames(case_measurement *m)
{
    double frame_s = 0;
    WEIR_RETURN_IF_ERROR(warm_up(m, &frame_s));
    uint64_t frames = choose_frames(m, frame_s);
    const double start_s = base_time_s();
    for (;;) {
        const uint64_t held = held_bytes(m);
        WEIR_RETURN_IF_ERROR(measure_frames(m, frames));
        if (held_bytes(m) == held || base_interrupted()) return WEIR_OK;
        bool again = base_time_s() - start_s < m->options->seconds;
        base_log(&m->report->log, WEIR_LOG_INFO, "buffers were enlarged during the measurement%s",
                 again ? ": measuring again" : "; --seconds does not suffice for another one");
        if (!again) return WEIR_OK;
    }
}

static weir_result read_passes(case_measurement *m)
{
    bench_result *r = m->result;
    if (!m->report->info.timestamps) return WEIR_OK;
    r->pass_count = BENCH_PASSES;
    weir_result result = weir_sim_get_pass_times(m->sim, r->passes, &r->pass_count);
    if (r->pass_count > BENCH_PASSES) r->pass_count = BENCH_PASSES;
    return result;
}

/* Times each pass, or the named one, alone on the state of a checkpoint. A pass that occurs twice
 * in the list is timed at its first place. */
static weir_result time_passes_alone(case_measurement *m)
{
    bench_result *r = m->result;
    uint32_t kept = 0;
    WEIR_RETURN_IF_ERROR(weir_sim_restore(m->sim, m->options->from));
    WEIR_RETURN_IF_ERROR(
        weir_sim_step(m->sim, 0)); /* sizes the neighbour lists and counts neighbours */
    WEIR_RETURN_IF_ERROR(weir_sim_get_stats(m->sim, &r->stats));
    WEIR_RETURN_IF_ERROR(read_passes(m));
    r->iterations_each = r->stats.iterations_in_frame / fmax(r->stats.substeps_in_frame, 1.0);
    WEIR_RETURN_IF_ERROR(weir_sim_restore(m->sim, m->options->from));
    r->alone = true;
    const char *only = m->options->pass;
    if (only) r->passes[0].name = only;
    if (only) r->passes[0].is_total = false;
    uint32_t count = only ? 1 : r->pass_count;
    for (uint32_t i = 0; i < count && !base_interrupted(); ++i) {
        bool again = r->passes[i].is_total || strncmp(r->passes[i].stage, "whitewater", 10) == 0;
        for (uint32_t k = 0; k < kept; ++k)
            again |= strcmp(r->passes[k].name, r->passes[i].name) == 0;
        if (again) continue;
        WEIR_RETURN_IF_ERROR(
            weir_sim_repeat_pass(m->sim, r->passes[i].name, m->options->repeat, &r->passes[kept]));
        ++kept;
    }
    r->pass_count = kept;
    return WEIR_OK;
}

static weir_result measure_scene(case_measurement *m)
{
    weir_result result;
    weir_estimate needs;
    char why[256];
    const bench_case *what = &m->result->what;
    if (what->scene && strncmp(what->scene, "scenes/", 7) == 0 && !base_path_is_file(what->scene))
        return skip_case(m, "its scene file was not found: run weir in the source folder");
    result = load_sized(m, &needs);
    if (result == WEIR_ERROR_IO && what->particles > 0)
        return skip_case(m, "its mesh was not found: fetch it with tools/get-models");
    if (result != WEIR_OK) return result;
    if (find_skip_reason(m, &needs, why)[0]) return skip_case(m, why);
    if (m->options->capture)
        WEIR_RETURN_IF_ERROR(app_capture_open(&m->report->log, "--capture", "bench", &m->capture));
    result = weir_sim_create(m->report->device, m->scene, &m->sim);
    if (result == WEIR_ERROR_MEMORY && what->particles > 0)
        return skip_case(m, "the device has too little memory");
    if (result != WEIR_OK) return result;
    if (m->options->from) return time_passes_alone(m);
    if (what->work == BENCH_MESHES)
        return bench_measure_meshes(m->report, m->options, m->sim, m->result);
    if (what->work == BENCH_PICTURES)
        return bench_measure_pictures(m->report, m->options, m->sim, m->result);
    WEIR_RETURN_IF_ERROR(run_frames(m));
    return read_passes(m);
}

weir_result bench_measure_case(bench_report *report, const bench_options *options,
                               const bench_case *what)
{
    bench_result *made = base_alloc(1, sizeof *made);
    if (!made) return base_fail(&report->log, WEIR_ERROR_MEMORY, "not enough memory for results");
    made->what = *what;
    case_measurement m = {.report = report, .options = options, .result = made};
    (void)weir_device_longest_submission_ms(report->device); /* discards earlier measurements */
    weir_result result = measure_scene(&m);
    made->longest_submission_ms = weir_device_longest_submission_ms(report->device);
    weir_device_info info;
    weir_device_get_info(report->device, &info);
    memcpy(made->modules, info.modules, sizeof made->modules);
    bench_raise_ceilings(&report->reached, made->passes, made->pass_count);
    weir_sim_destroy(&m.sim);
    weir_scene_destroy(&m.scene);
    if (result == WEIR_OK && !BASE_ARRAY_PUSH(&report->results, *made))
        result = base_fail(&report->log, WEIR_ERROR_MEMORY, "not enough memory for results");
    base_free(made);
    return result;
}
